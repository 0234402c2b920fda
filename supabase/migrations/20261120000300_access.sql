-- Who may do what. Row-level security is the only judge; the grants are its outer fence.
revoke all on public.resources, public.users from anon, authenticated;
alter table public.resources enable row level security;
alter table public.users enable row level security;

-- Resources: visitors read public rows, members read all, admins write.
grant select on public.resources to anon, authenticated;
grant insert, update, delete on public.resources to authenticated;
grant all on public.resources, public.users to service_role;

drop policy if exists "visitors read public resources" on public.resources;
create policy "visitors read public resources" on public.resources for select to anon using (public);
drop policy if exists "members read all resources" on public.resources;
create policy "members read all resources" on public.resources for select to authenticated using (true);
drop policy if exists "admins add resources" on public.resources;
create policy "admins add resources" on public.resources for insert to authenticated
  with check ((select private.is_admin()));
drop policy if exists "admins change resources" on public.resources;
create policy "admins change resources" on public.resources for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
drop policy if exists "admins delete resources" on public.resources;
create policy "admins delete resources" on public.resources for delete to authenticated
  using ((select private.is_admin()));

-- Profiles: members see and change their own, without the role; admins read all.
grant select on public.users to authenticated;
grant insert (id, email, name) on public.users to authenticated;
grant update (name, avatar, "savedResources") on public.users to authenticated;

drop policy if exists "members read their own profile, admins all" on public.users;
create policy "members read their own profile, admins all" on public.users for select to authenticated
  using (id = (select auth.uid()) or (select private.is_admin()));
drop policy if exists "members insert their own profile" on public.users;
create policy "members insert their own profile" on public.users for insert to authenticated
  with check (id = (select auth.uid()));
drop policy if exists "members change their own profile" on public.users;
create policy "members change their own profile" on public.users for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));

-- Saving adds or removes one id, so that two open tabs cannot overwrite each other.
create or replace function public.save_resource(resource_id uuid) returns uuid[]
language sql set search_path = '' as $$
  update public.users set "savedResources" =
    case when resource_id = any ("savedResources") then "savedResources" else "savedResources" || resource_id end
  where id = (select auth.uid()) returning "savedResources"
$$;
create or replace function public.unsave_resource(resource_id uuid) returns uuid[]
language sql set search_path = '' as $$
  update public.users set "savedResources" = array_remove("savedResources", resource_id)
  where id = (select auth.uid()) returning "savedResources"
$$;
revoke execute on function public.save_resource(uuid), public.unsave_resource(uuid) from public, anon;
grant execute on function public.save_resource(uuid), public.unsave_resource(uuid) to authenticated, service_role;

-- The choices of the location filter: only those that the caller may see.
create or replace function public.resource_locations(of_category text default null) returns setof text
language sql stable set search_path = '' as $$
  select distinct location from public.resources
  where location <> '' and (of_category is null or category = of_category) order by location
$$;
revoke execute on function public.resource_locations(text) from public;
grant execute on function public.resource_locations(text) to anon, authenticated, service_role;
