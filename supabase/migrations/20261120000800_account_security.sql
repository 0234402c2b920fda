-- Two proofs for admins, and a member's own list of sessions.

-- What an owner decides and policies have to know. The embedded server writes it at each start (ADMIN_REQUIRE_MFA); on a
-- hosted project it is set once by SQL: update private.settings set value = 'always' where name = 'admin_require_mfa'.
create table if not exists private.settings (
  name text primary key,
  value text not null,
  check (name <> 'admin_require_mfa' or value in ('off', 'enrolled', 'always'))
);
alter table private.settings enable row level security;
insert into private.settings (name, value) values ('admin_require_mfa', 'enrolled') on conflict (name) do nothing;

-- Whether the caller's account has a second factor that works.
create or replace function private.has_second_factor() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from auth.mfa_factors where user_id = (select auth.uid()) and status = 'verified')
$$;

-- A password alone is not enough for whoever has more than a password.
create or replace function private.has_proved_enough() returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((select auth.jwt()) ->> 'aal', 'aal1') = 'aal2' or not private.has_second_factor()
$$;

-- What an admin must be able to show is the owner's choice: `off`, `enrolled` (a second factor, once there is one), `always`.
create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.users where id = (select auth.uid()) and role = 'admin')
    and case (select value from private.settings where name = 'admin_require_mfa')
      when 'off' then true
      when 'always' then coalesce((select auth.jwt()) ->> 'aal', 'aal1') = 'aal2'
      else private.has_proved_enough()
    end
$$;

-- How the site knows what to ask an admin for: `open`, `verify` (the second factor), `enrol` (there is none yet but one is
-- demanded); `none` for members.
create or replace function public.admin_access() returns text
language sql stable security definer set search_path = '' as $$
  select case
    when not exists (select from public.users where id = (select auth.uid()) and role = 'admin') then 'none'
    when private.is_admin() then 'open'
    when private.has_second_factor() then 'verify'
    else 'enrol'
  end
$$;
comment on function public.admin_access() is 'What stands between the caller and the admin areas: none, open, verify or enrol';

-- As much of an address as tells one place from another.
create or replace function private.address_range(address inet) returns text
language sql immutable set search_path = '' as $$
  select case family(address)
    when 4 then regexp_replace(host(network(set_masklen(address, 24))), '\.0$', '.x')
    when 6 then network(set_masklen(address, 48))::text
  end
$$;

-- The time zone is set for Supabase's own table, where `refreshed_at` is without one and means UTC.
create or replace function public.own_sessions() returns table (
  id uuid, created_at timestamptz, refreshed_at timestamptz, user_agent text, address_range text, aal text, current boolean
)
language sql stable security definer set search_path = '' set timezone = 'UTC' as $$
  select s.id, s.created_at, s.refreshed_at::timestamptz, s.user_agent, private.address_range(s.ip), s.aal::text,
    coalesce(s.id::text = (select auth.jwt()) ->> 'session_id', false)
  from auth.sessions s
  where s.user_id = (select auth.uid()) and (s.not_after is null or s.not_after > now())
  order by 7 desc, coalesce(s.refreshed_at::timestamptz, s.created_at) desc, s.id
$$;
comment on function public.own_sessions() is 'Where the caller is signed in';

-- Tells whether there was such a session. Its refresh tokens go with it.
create or replace function public.end_own_session(id uuid) returns boolean
language sql security definer set search_path = '' as $$
  with ended as (
    delete from auth.sessions s where s.id = $1 and s.user_id = (select auth.uid()) returning s.id, s.user_id
  ), noted as (
    insert into auth.audit_log_entries (instance_id, id, payload, ip_address, created_at)
    select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), json_build_object(
      'action', 'logout', 'actor_id', ended.user_id, 'actor_username', coalesce((select auth.jwt()) ->> 'email', ''),
      'actor_via_sso', false, 'log_type', 'account', 'traits', json_build_object('scope', 'one')), '', now()
    from ended
  )
  select exists (select from ended)
$$;
comment on function public.end_own_session(uuid) is 'Signs the caller out of one of their sessions';

-- As in 20261120000600, and a stolen password does not delete an account that has a second factor.
create or replace function public.delete_account() returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.has_proved_enough() then
    raise exception 'Please give your second factor before you delete your account' using errcode = '42501';
  end if;
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

-- Supabase projects that have not been updated since early 2026 lack the table.
create or replace function private.own_passkeys() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if to_regclass('auth.webauthn_credentials') is null then
    return '[]';
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('name', friendly_name, 'created_at', created_at,
      'last_used_at', last_used_at)), '[]')
    from auth.webauthn_credentials where user_id = (select auth.uid())
  );
end
$$;

-- As in 20261120000600, with second factors and passkeys; their secrets and keys stay here.
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
    'factors', (
      select coalesce(jsonb_agg(jsonb_build_object('type', factor_type, 'status', status, 'name', friendly_name,
        'phone', phone, 'created_at', created_at, 'last_challenged_at', last_challenged_at)), '[]')
      from auth.mfa_factors where user_id = (select auth.uid())
    ),
    'passkeys', private.own_passkeys(),
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
revoke execute on function private.has_second_factor(), private.has_proved_enough(), private.address_range(inet),
  private.own_passkeys(), public.admin_access(), public.own_sessions(), public.end_own_session(uuid) from public, anon;
grant execute on function public.admin_access(), public.own_sessions(), public.end_own_session(uuid) to authenticated;
