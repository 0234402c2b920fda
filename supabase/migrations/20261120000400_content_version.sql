-- One number that rises with every change of the library, so that rendered pages can be dropped everywhere at once.
create table if not exists public.content_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 1
);
insert into public.content_version default values on conflict do nothing;

alter table public.content_version enable row level security;
revoke all on public.content_version from anon, authenticated, service_role;
grant select on public.content_version to anon, authenticated, service_role;
drop policy if exists "everyone reads the content version" on public.content_version;
create policy "everyone reads the content version" on public.content_version for select using (true);

-- A statement that touched no row changed nothing; else any member could empty every page cache by failing to write.
create or replace function private.raise_content_version() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  raised bigint;
begin
  if tg_op <> 'TRUNCATE' then
    if not exists (select from changed) then
      return null;
    end if;
  end if;
  update public.content_version set version = version + 1 where only_row returning version into raised;
  perform pg_notify('content_changed', raised::text);
  return null;
end
$$;
revoke execute on function private.raise_content_version() from public;

-- One trigger for each event: only so may a trigger look at the rows of its statement.
drop trigger if exists content_added on public.resources;
create trigger content_added after insert on public.resources
  referencing new table as changed for each statement execute function private.raise_content_version();
drop trigger if exists content_changed on public.resources;
create trigger content_changed after update on public.resources
  referencing new table as changed for each statement execute function private.raise_content_version();
drop trigger if exists content_removed on public.resources;
create trigger content_removed after delete on public.resources
  referencing old table as changed for each statement execute function private.raise_content_version();
drop trigger if exists content_truncated on public.resources;
create trigger content_truncated after truncate on public.resources
  for each statement execute function private.raise_content_version();
