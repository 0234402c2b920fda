-- Deleting is by id, as ever (specification, section 7). What is deleted waits here for 30 days, and can be restored.
create table if not exists public.deleted_resources (
  id uuid primary key,
  -- The whole row as it was.
  resource jsonb not null,
  title text generated always as (resource ->> 'title') stored,
  category text generated always as (resource ->> 'category') stored,
  image_url text generated always as (resource ->> 'image_url') stored,
  "audioUrl" text generated always as (resource ->> 'audioUrl') stored,
  -- Its files are to go when it goes for good: what can be restored keeps them. Only an admin's browser can remove files.
  frees_media boolean not null default false,
  deleted_by uuid references public.users (id) on delete set null,
  deleted_at timestamptz not null default now()
);
create index if not exists deleted_resources_deleted_at on public.deleted_resources (deleted_at desc);
create index if not exists deleted_resources_deleted_by on public.deleted_resources (deleted_by);

-- Who had it on their list, and at which place. Nobody reads it through the API.
create table if not exists private.deleted_resource_savers (
  resource_id uuid references public.deleted_resources (id) on delete cascade,
  member_id uuid references public.users (id) on delete cascade,
  place integer not null,
  primary key (resource_id, member_id)
);
create index if not exists deleted_resource_savers_member on private.deleted_resource_savers (member_id);

alter table public.deleted_resources enable row level security;
alter table private.deleted_resource_savers enable row level security;
revoke all on public.deleted_resources from anon, authenticated;
revoke all on private.deleted_resource_savers from anon, authenticated, service_role;
grant select, delete, update (frees_media) on public.deleted_resources to authenticated;
grant all on public.deleted_resources to service_role;
drop policy if exists "admins manage deleted resources" on public.deleted_resources;
create policy "admins manage deleted resources" on public.deleted_resources for all to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));

create or replace function private.keep_deleted_resources() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.deleted_resources
  where id in (select id from removed) or (deleted_at < now() - interval '30 days' and not frees_media);
  insert into public.deleted_resources (id, resource, deleted_by)
  select id, to_jsonb(removed), auth.uid() from removed;
  -- Locked in the order of their ids: two deletions never wait for each other.
  with saved as materialized (
    select member.id as member_id, removed.id as resource_id,
      array_position(member."savedResources", removed.id) as place
    from public.users as member join removed on removed.id = any (member."savedResources")
    order by member.id for update of member
  ), noted as (
    insert into private.deleted_resource_savers (resource_id, member_id, place)
    select resource_id, member_id, place from saved
  )
  update public.users set "savedResources" = array(
    select one from unnest("savedResources") with ordinality as list (one, place)
    where one not in (select id from removed) order by place
  ) where id in (select member_id from saved);
  return null;
end
$$;
revoke execute on function private.keep_deleted_resources() from public;
drop trigger if exists keep_deleted on public.resources;
create trigger keep_deleted after delete on public.resources
  referencing old table as removed for each statement execute function private.keep_deleted_resources();

-- Undoes a deletion, the members' lists included. Errors: 42501 for all but admins; PT404 when it is not, or no longer,
-- there to be restored; 23505 when its id is in use again.
create or replace function public.restore_resource(id uuid) returns void
language plpgsql security definer set search_path = '' as $$
declare
  kept jsonb;
begin
  if not private.is_admin() then
    raise exception 'Only admins can restore resources' using errcode = '42501';
  end if;
  select deleted.resource into kept from public.deleted_resources as deleted
  where deleted.id = restore_resource.id and deleted.deleted_at > now() - interval '30 days' for update;
  if not found then
    raise exception 'This resource is not among the deleted ones any more' using errcode = 'PT404';
  end if;
  insert into public.resources (id, title, description, category, image_url, image_alt, link, date, grade, gender,
    location, public, article_content, "audioUrl", "lastPlayedPosition", duration, featured, created_at, updated_at)
  select was.id, was.title, was.description, was.category, was.image_url, was.image_alt, was.link, was.date, was.grade,
    was.gender, was.location, was.public, was.article_content, was."audioUrl", was."lastPlayedPosition", was.duration,
    was.featured, was.created_at, was.updated_at
  from jsonb_populate_record(null::public.resources, kept) as was
  on conflict do nothing;
  if not found then
    raise exception 'A resource with this id is in the library already' using errcode = '23505';
  end if;
  -- Whoever saved it again, or has a full list by now, keeps their list as it is.
  update public.users as member
  set "savedResources" = "savedResources"[: saver.place - 1] || saver.resource_id || "savedResources"[saver.place :]
  from private.deleted_resource_savers as saver
  where saver.resource_id = restore_resource.id and saver.member_id = member.id
    and saver.resource_id <> all (member."savedResources") and cardinality(member."savedResources") < 10000;
  delete from public.deleted_resources as deleted where deleted.id = restore_resource.id;
end
$$;
comment on function public.restore_resource(uuid) is 'Brings a deleted resource back, for admins, within 30 days';
revoke execute on function public.restore_resource(uuid) from public, anon;
grant execute on function public.restore_resource(uuid) to authenticated;
