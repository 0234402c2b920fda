-- The library. Column names are the specification's (section 3), quoted where they are not lower case.
create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;

-- Functions that only tables, triggers and policies use; this schema is never exposed through the API.
create schema if not exists private;
grant usage on schema private to anon, authenticated, service_role;

-- 'K' counts as 0; anything else that is not a grade gives null. "6-8" has the ends 6 and 8, "7" is both its ends.
create or replace function private.grade_end(grade text, last boolean) returns smallint
language sql immutable parallel safe set search_path = '' as $$
  select case when edge = 'K' then 0 when edge ~ '^\d{1,2}$' then edge::smallint end
  from (select upper(split_part(grade, '-', case when last and grade like '%-%' then 2 else 1 end)) as edge) as ends
$$;
revoke execute on function private.grade_end(text, boolean) from public;
grant execute on function private.grade_end(text, boolean) to authenticated, service_role;

create table if not exists public.resources (
  id uuid primary key default gen_random_uuid(),
  title text not null check (length(trim(title)) between 1 and 300),
  description text not null check (length(trim(description)) between 1 and 2000),
  category text not null check (category in ('reading', 'webinar', 'podcast', 'community', 'session')),
  image_url text,
  image_alt text,
  link text,
  date date not null default current_date,
  grade text,
  gender text check (gender in ('all', 'male', 'female', 'other', '')),
  location text,
  public boolean not null default true,
  article_content text,
  "audioUrl" text,
  "lastPlayedPosition" double precision,
  duration integer not null default 0 check (duration >= 0),
  featured boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  grade_low smallint generated always as (private.grade_end(grade, false)) stored,
  grade_high smallint generated always as (private.grade_end(grade, true)) stored
);
comment on column public.resources.article_content is 'HTML, UTF-8, base64; a listing never reads it';
comment on column public.resources.duration is 'seconds: length of the audio, or estimated reading time';

-- The order of every listing (featured first, newest first), alone and within a category.
create index if not exists resources_listing on public.resources (featured desc, date desc, title, id);
create index if not exists resources_category_listing on public.resources (category, featured desc, date desc, title, id);
-- Search looks for its words anywhere in title or description. Rows are added one by one, so nothing is gained by
-- putting their words off, and the embedded database has no autovacuum that would catch up.
create index if not exists resources_title_search on public.resources
  using gin (title extensions.gin_trgm_ops) with (fastupdate = off);
create index if not exists resources_description_search on public.resources
  using gin (description extensions.gin_trgm_ops) with (fastupdate = off);

create or replace function private.touch_updated_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.updated_at = now();
  return new;
end
$$;
revoke execute on function private.touch_updated_at() from public;
drop trigger if exists touch_updated_at on public.resources;
create trigger touch_updated_at before update on public.resources
  for each row execute function private.touch_updated_at();
