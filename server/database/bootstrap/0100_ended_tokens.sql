-- Access tokens that must not be believed any more although they have not expired yet: those of sessions that ended, and
-- of accounts that are banned. Every process keeps the list in memory; a notification tells it what is new.
create table if not exists platform.ended_tokens (
  -- A session or an account: both are random UUIDs.
  id uuid primary key,
  -- By then the last of the tokens has expired, or the ban is over.
  until timestamptz not null
);
create index if not exists ended_tokens_until_idx on platform.ended_tokens (until);
alter table platform.ended_tokens enable row level security;

-- The longest life that any process ever gave to a token, in seconds; each writes its own at its start.
create table if not exists platform.access_token_life (
  only_row boolean primary key default true check (only_row),
  seconds integer not null default 3600
);
insert into platform.access_token_life default values on conflict do nothing;
alter table platform.access_token_life enable row level security;

-- When the last token that is signed now will have expired everywhere, however the clocks of machines differ.
create or replace function platform.last_token_expiry() returns timestamptz
language sql stable set search_path = '' as $$
  select now() + make_interval(secs => 60 + coalesce((select seconds from platform.access_token_life), 604800))
$$;

-- `id:seconds` for each, 0 seconds for one that is believed again; an empty message means: too many, read the table.
create or replace function platform.announce_ended_tokens(ids uuid[]) returns void
language sql set search_path = '' as $$
  select pg_notify('ended_tokens', case when cardinality(ids) > 100 then '' else (
    select coalesce(string_agg(each.id || ':' || coalesce(ceil(extract(epoch from ended.until - now())), 0), ' '), '')
    from unnest(ids) as each (id) left join platform.ended_tokens as ended using (id)
  ) end)
$$;

create or replace function platform.end_tokens(ids uuid[], until_at timestamptz default null) returns void
language plpgsql security definer set search_path = '' as $$
begin
  if coalesce(cardinality(ids), 0) = 0 then
    return;
  end if;
  delete from platform.ended_tokens where id in (
    select id from platform.ended_tokens where until < now() limit 1000 for update skip locked
  );
  insert into platform.ended_tokens (id, until)
    select distinct each.id, least(until_at, platform.last_token_expiry()) from unnest(ids) as each (id)
    on conflict (id) do update set until = excluded.until;
  perform platform.announce_ended_tokens(ids);
end
$$;

-- Signing out, changing a password, deleting an account: however a session goes, its tokens go too. Sessions whose last
-- token expired long ago (an hour for clocks that differ) need no word.
create or replace function platform.end_tokens_of_sessions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform platform.end_tokens((
    select array_agg(id) from removed
    where greatest(created_at, updated_at, refreshed_at) is null
      or greatest(created_at, updated_at, refreshed_at)
        > now() - (platform.last_token_expiry() - now()) - interval '1 hour'
  ));
  return null;
end
$$;
drop trigger if exists sessions_end_tokens on auth.sessions;
create trigger sessions_end_tokens after delete on auth.sessions
  referencing old table as removed for each statement execute function platform.end_tokens_of_sessions();

create or replace function platform.end_tokens_of_account() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.deleted_at is not null then
    perform platform.end_tokens(array[new.id]);
  elsif new.banned_until > now() then
    perform platform.end_tokens(array[new.id], new.banned_until);
  else
    delete from platform.ended_tokens where id = new.id;
    perform platform.announce_ended_tokens(array[new.id]);
  end if;
  return null;
end
$$;
drop trigger if exists users_end_tokens on auth.users;
create trigger users_end_tokens after update of banned_until, deleted_at on auth.users for each row
  when (old.banned_until is distinct from new.banned_until or old.deleted_at is distinct from new.deleted_at)
  execute function platform.end_tokens_of_account();
