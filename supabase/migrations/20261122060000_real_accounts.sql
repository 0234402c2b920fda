-- Members are people with an account. An anonymous session (AUTH_ANONYMOUS, or the same setting of a hosted project) has
-- the role `authenticated` too, but reads what visitors read, and has no profile to keep anything in.
create or replace function private.is_member() returns boolean
language sql stable set search_path = '' as $$
  select coalesce((select auth.jwt()) ->> 'is_anonymous', 'false') <> 'true'
$$;
revoke execute on function private.is_member() from public;
grant execute on function private.is_member() to authenticated, service_role;

drop policy if exists "members read all resources" on public.resources;
create policy "members read all resources" on public.resources for select to authenticated
  using (public or (select private.is_member()));
drop policy if exists "members read all counts" on public.resource_counts;
create policy "members read all counts" on public.resource_counts for select to authenticated
  using (public or (select private.is_member()));

drop policy if exists "members read their own profile, admins all" on public.users;
create policy "members read their own profile, admins all" on public.users for select to authenticated
  using ((id = (select auth.uid()) and (select private.is_member())) or (select private.is_admin()));
drop policy if exists "members insert their own profile" on public.users;
create policy "members insert their own profile" on public.users for insert to authenticated
  with check (id = (select auth.uid()) and (select private.is_member()));
drop policy if exists "members change their own profile" on public.users;
create policy "members change their own profile" on public.users for update to authenticated
  using (id = (select auth.uid()) and (select private.is_member()))
  with check (id = (select auth.uid()) and (select private.is_member()));

-- As in 20261120000900, which looked at the role alone: search and its counts act as the owner.
create or replace function private.reads_all() returns boolean
language sql stable set search_path = '' as $$
  select case current_setting('role')
    when 'service_role' then true
    when 'authenticated' then private.is_member()
    else false
  end
$$;
revoke execute on function private.reads_all() from public;
create or replace function private.matching_ids(
  words text, of_category text, in_grade smallint, of_genders text[], at_location text, most integer
) returns setof uuid
language plpgsql stable security definer rows 10 set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  reads_all boolean := private.reads_all();
begin
  return query select id
    from private.matching_resources(words, of_category, in_grade, of_genders, at_location, reads_all)
    order by featured desc, date desc, title, id limit most;
end
$$;
create or replace function private.count_matches(
  words text, of_category text, in_grade smallint, of_genders text[], at_location text, most integer
) returns bigint
language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  reads_all boolean := private.reads_all();
begin
  return (select count(*) from (
    select from private.matching_resources(words, of_category, in_grade, of_genders, at_location, reads_all)
    limit most) as counted);
end
$$;

-- As in 20261120000800. Whoever has a second factor gives it before all that is held about them is handed out; the hint
-- tells the site what to ask for.
create or replace function public.export_account() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.has_proved_enough() then
    raise exception 'Please give your second factor before you take your data'
      using errcode = '42501', hint = 'insufficient_aal';
  end if;
  return jsonb_build_object(
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
  );
end
$$;
create or replace function public.delete_account() returns void
language plpgsql security definer set search_path = '' as $$
begin
  if not private.has_proved_enough() then
    raise exception 'Please give your second factor before you delete your account'
      using errcode = '42501', hint = 'insufficient_aal';
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
