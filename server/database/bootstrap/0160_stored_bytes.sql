-- When stored bytes may go. Whoever reads an object has read its row first, and a dump of the database and a copy of the
-- files are rarely made at the same instant: bytes outlive the row that named them.
create table if not exists storage.retired_bytes (
  version text primary key,
  retired_at timestamptz not null default now(),
  -- Kept at least until then.
  purge_after timestamptz not null
);
create index if not exists retired_bytes_purge_after on storage.retired_bytes (purge_after);
alter table storage.retired_bytes enable row level security;

-- Objects that lost their bytes, as they were: `npm run storage -- undo` puts them back within 30 days.
create table if not exists storage.quarantined_objects (
  id uuid primary key default gen_random_uuid(),
  content jsonb not null,
  quarantined_at timestamptz not null default now()
);
alter table storage.quarantined_objects enable row level security;

-- Which installation this is: the place of the files bears the same mark, so that neither is ever mended after the other's
-- namesake.
create table if not exists storage.installation (
  only_row boolean primary key default true check (only_row),
  id uuid not null default gen_random_uuid()
);
insert into storage.installation default values on conflict do nothing;
alter table storage.installation enable row level security;

-- In the transaction that changes the row, whoever changes it: no crash can leave bytes that nobody knows of.
create or replace function storage.retire_bytes() returns trigger language plpgsql security definer set search_path = '' as $$
begin
  if old.version is not null then
    insert into storage.retired_bytes (version, purge_after) values (old.version, now() + tg_argv[0]::interval)
    on conflict (version) do update set purge_after = excluded.purge_after;
  end if;
  return null;
end $$;
revoke execute on function storage.retire_bytes() from public;

drop trigger if exists retire_deleted_bytes on storage.objects;
create trigger retire_deleted_bytes after delete on storage.objects
  for each row execute function storage.retire_bytes('7 days');
drop trigger if exists retire_replaced_bytes on storage.objects;
create trigger retire_replaced_bytes after update of version on storage.objects
  for each row when (old.version is distinct from new.version) execute function storage.retire_bytes('7 days');

-- A picture in another size can be made again; only who is about to read it must still find it.
drop trigger if exists retire_variant_bytes on storage.image_variants;
create trigger retire_variant_bytes after delete on storage.image_variants
  for each row execute function storage.retire_bytes('1 hour');
