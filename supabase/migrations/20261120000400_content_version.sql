-- One number that rises with every change of the library, so that rendered pages can be dropped everywhere at once.
create table if not exists public.content_version (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 1
);
insert into public.content_version default values on conflict do nothing;

alter table public.content_version enable row level security;
revoke all on public.content_version from anon, authenticated;
grant select on public.content_version to anon, authenticated, service_role;
drop policy if exists "everyone reads the content version" on public.content_version;
create policy "everyone reads the content version" on public.content_version for select using (true);

create or replace function private.raise_content_version() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  raised bigint;
begin
  update public.content_version set version = version + 1 returning version into raised;
  perform pg_notify('content_changed', raised::text);
  return null;
end
$$;
drop trigger if exists raise_content_version on public.resources;
create trigger raise_content_version after insert or update or delete or truncate on public.resources
  for each statement execute function private.raise_content_version();
