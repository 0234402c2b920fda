-- Mails and text messages that the service could not send, for admins. The service's queue is pg-boss's (schema pgboss),
-- which is not there in a project without a service of ours: then there is nothing to tell.

-- What was given up (and can be tried again), and what was refused at least once and will be tried again by itself. What
-- a message is about, and never what it says: no code and no link is in the queue.
create or replace function public.unsent_messages() returns table (
  id uuid, channel text, recipient text, kind text, reason text, given_up boolean, attempts integer, written_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_admin() then
    raise exception 'Only admins can see unsent messages' using errcode = '42501';
  end if;
  if to_regclass('pgboss.job') is null then return; end if;
  return query
    select job.id, job.name, coalesce(job.data ->> 'to', '+' || (job.data ->> 'phone')), job.data ->> 'kind',
      left(job.output ->> 'message', 400), job.state = 'failed', job.retry_count + 1, job.created_on
    from pgboss.job
    where job.name in ('email', 'sms') and job.output is not null and job.state in ('failed', 'retry')
    order by job.state = 'failed' desc, job.created_on desc
    limit 100;
end
$$;
comment on function public.unsent_messages() is 'Mails and text messages that could not be sent so far, for admins';

-- Tries a message again that was given up. Errors: 42501 for all but admins; PT404 when it is not there any more.
create or replace function public.retry_message(id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  queue text;
begin
  if not private.is_admin() then
    raise exception 'Only admins can send messages again' using errcode = '42501';
  end if;
  if to_regclass('pgboss.job') is not null then
    update pgboss.job set state = 'retry', retry_limit = job.retry_count + 3, completed_on = null, start_after = now(),
      keep_until = now() + interval '14 days'
    where job.name in ('email', 'sms') and job.id = retry_message.id and job.state = 'failed'
    returning job.name into queue;
  end if;
  if queue is null then
    raise exception 'This message is not waiting any more' using errcode = 'PT404';
  end if;
  -- The channel on which pg-boss wakes its workers.
  perform pg_notify('pgboss_' || left(encode(sha224('pgboss'::bytea), 'hex'), 24), queue);
end
$$;
comment on function public.retry_message(uuid) is 'Tries to send a message again that was given up, for admins';

revoke execute on function public.unsent_messages(), public.retry_message(uuid) from public, anon;
grant execute on function public.unsent_messages(), public.retry_message(uuid) to authenticated;
