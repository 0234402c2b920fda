-- A page that shows what is no longer public must not come from any memory again, not even while the database is away;
-- one that is merely out of date may. So the content version also tells when something last left the visitors' view.
alter table public.content_version add column if not exists removal_version bigint not null default 1;
comment on column public.content_version.removal_version is
  'The version at which a resource was last made private or deleted';

create or replace function private.raise_content_version() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  removes boolean := false;
  raised public.content_version;
begin
  -- A statement that touched no row changed nothing; else any member could empty every page cache by failing to write.
  if tg_op = 'TRUNCATE' then
    removes := true;
  elsif not exists (select from changed) then
    return null;
  elsif tg_op = 'DELETE' then
    removes := exists (select from changed where public);
  elsif tg_op = 'UPDATE' then
    removes := exists (
      select from before
      where public and not exists (select from changed where changed.id = before.id and changed.public)
    );
  end if;
  update public.content_version
    set version = version + 1, removal_version = case when removes then version + 1 else removal_version end
    where only_row returning * into raised;
  perform pg_notify('content_changed', raised.version || ' ' || raised.removal_version);
  return null;
end
$$;
revoke execute on function private.raise_content_version() from public;

drop trigger if exists content_changed on public.resources;
create trigger content_changed after update on public.resources
  referencing old table as before new table as changed
  for each statement execute function private.raise_content_version();
