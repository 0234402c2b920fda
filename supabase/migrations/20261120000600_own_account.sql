-- What members may do with their account as a whole (docs/decisions/0010): take all of it with them, and end it.

-- All that is held about the caller, without what would let somebody else sign in.
create or replace function public.export_account() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'account', (
      select to_jsonb(account) from (
        select id, email, phone, email_confirmed_at, phone_confirmed_at, last_sign_in_at, invited_at,
          raw_app_meta_data as app_metadata, raw_user_meta_data as user_metadata, created_at, updated_at
        from auth.users where id = (select auth.uid())
      ) as account
    ),
    'profile', (select to_jsonb(profile) from public.users as profile where id = (select auth.uid())),
    'savedResources', (
      select coalesce(jsonb_agg(jsonb_build_object('id', id, 'title', title) order by title), '[]')
      from public.resources
      where id = any (select unnest("savedResources") from public.users where users.id = (select auth.uid()))
    ),
    'identities', (
      select coalesce(jsonb_agg(jsonb_build_object('provider', provider, 'data', identity_data,
        'last_sign_in_at', last_sign_in_at, 'created_at', created_at)), '[]')
      from auth.identities where user_id = (select auth.uid())
    ),
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object('created_at', created_at, 'updated_at', updated_at,
        'user_agent', user_agent, 'ip', ip)), '[]')
      from auth.sessions where user_id = (select auth.uid())
    ),
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object('at', created_at, 'ip_address', ip_address,
        'action', payload ->> 'action') order by created_at), '[]')
      from auth.audit_log_entries where payload ->> 'actor_id' = (select auth.uid())::text
    )
  )
$$;
comment on function public.export_account() is 'All data held about the caller, as JSON';

-- The password is proved by signing in with it, so that the limits on guessing hold here too: the token must come from
-- a sign-in of the last minutes. Everything else of the account goes with its row (foreign keys).
create or replace function public.delete_account() returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from jsonb_array_elements(auth.jwt() -> 'amr') as proof
    where proof ->> 'method' <> 'token_refresh'
      and to_timestamp((proof ->> 'timestamp')::double precision) > now() - interval '5 minutes'
  ) then
    raise exception 'Please sign in again before you delete your account' using errcode = '42501';
  end if;
  delete from auth.users where id = (select auth.uid());
end
$$;
comment on function public.delete_account() is 'Deletes the caller, who must have signed in within five minutes';

revoke execute on function public.export_account(), public.delete_account() from public, anon;
grant execute on function public.export_account(), public.delete_account() to authenticated;
