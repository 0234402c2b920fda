-- Supabase's storage schema: what buckets and objects there are, and who may touch them. The bytes live with the files port.
create schema if not exists storage;
grant usage on schema storage to anon, authenticated, service_role;

create table if not exists storage.buckets (
  id text primary key,
  name text not null unique,
  owner uuid,
  owner_id text,
  public boolean not null default false,
  type text not null default 'STANDARD',
  file_size_limit bigint,
  allowed_mime_types text[],
  created_at timestamptz default now(),
  updated_at timestamptz default now()
);

create table if not exists storage.objects (
  id uuid primary key default gen_random_uuid(),
  bucket_id text references storage.buckets (id),
  name text not null,
  owner uuid,
  owner_id text,
  path_tokens text[] generated always as (string_to_array(name, '/')) stored,
  metadata jsonb,
  user_metadata jsonb,
  version text,
  created_at timestamptz default now(),
  updated_at timestamptz default now(),
  last_accessed_at timestamptz default now()
);
create unique index if not exists bucketid_objname on storage.objects (bucket_id, name);

alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
grant select, insert, update, delete on storage.buckets, storage.objects to anon, authenticated, service_role;

create or replace function storage.foldername(name text) returns text[] language sql immutable as
$$ select (string_to_array(name, '/'))[1 : cardinality(string_to_array(name, '/')) - 1] $$;

create or replace function storage.filename(name text) returns text language sql immutable as
$$ select (string_to_array(name, '/'))[cardinality(string_to_array(name, '/'))] $$;

create or replace function storage.extension(name text) returns text language sql immutable as
$$ select nullif(substring(storage.filename(name) from '\.([^.]*)$'), '') $$;

grant execute on function storage.foldername(text), storage.filename(text), storage.extension(text)
  to anon, authenticated, service_role;
