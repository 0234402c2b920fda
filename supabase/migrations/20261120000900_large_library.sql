-- What makes a listing's cost independent of the size of the library: counts that are kept instead of counted, an index
-- for places, and a search that visitors may use as quickly as members. What people see stays the same.

-- How many resources share all that a listing can be filtered by. It grows with the kinds of resources, not with them.
create table if not exists public.resource_counts (
  category text not null,
  public boolean not null,
  grade_low smallint,
  grade_high smallint,
  gender text,
  location text,
  resources bigint not null,
  unique nulls not distinct (category, public, location, gender, grade_low, grade_high)
);
alter table public.resource_counts enable row level security;
revoke all on public.resource_counts from anon, authenticated, service_role;
grant select on public.resource_counts to anon, authenticated, service_role;
drop policy if exists "visitors read the counts of public resources" on public.resource_counts;
create policy "visitors read the counts of public resources" on public.resource_counts for select to anon using (public);
drop policy if exists "members read all counts" on public.resource_counts;
create policy "members read all counts" on public.resource_counts for select to authenticated, service_role using (true);

-- Runs within the transaction of the change, so that counts are exact at every moment.
create or replace function private.keep_resource_counts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op in ('UPDATE', 'DELETE') then
    insert into public.resource_counts as kept
      select category, public, grade_low, grade_high, gender, location, -count(*) from removed group by 1, 2, 3, 4, 5, 6
      on conflict (category, public, location, gender, grade_low, grade_high)
      do update set resources = kept.resources + excluded.resources;
  end if;
  if tg_op in ('INSERT', 'UPDATE') then
    insert into public.resource_counts as kept
      select category, public, grade_low, grade_high, gender, location, count(*) from added group by 1, 2, 3, 4, 5, 6
      on conflict (category, public, location, gender, grade_low, grade_high)
      do update set resources = kept.resources + excluded.resources;
  end if;
  delete from public.resource_counts where resources = 0 or tg_op = 'TRUNCATE';
  return null;
end
$$;
revoke execute on function private.keep_resource_counts() from public;

drop trigger if exists counts_added on public.resources;
create trigger counts_added after insert on public.resources
  referencing new table as added for each statement execute function private.keep_resource_counts();
drop trigger if exists counts_changed on public.resources;
create trigger counts_changed after update on public.resources
  referencing old table as removed new table as added
  for each statement execute function private.keep_resource_counts();
drop trigger if exists counts_removed on public.resources;
create trigger counts_removed after delete on public.resources
  referencing old table as removed for each statement execute function private.keep_resource_counts();
drop trigger if exists counts_truncated on public.resources;
create trigger counts_truncated after truncate on public.resources
  for each statement execute function private.keep_resource_counts();

-- The triggers above hold off every writer until this is committed.
delete from public.resource_counts;
insert into public.resource_counts
  select category, public, grade_low, grade_high, gender, location, count(*) from public.resources
  group by 1, 2, 3, 4, 5, 6;

-- The choices of the location filter, without a look at each resource.
create or replace function public.resource_locations(of_category text default null) returns setof text
language sql stable set search_path = '' as $$
  select distinct location from public.resource_counts
  where location <> '' and (of_category is null or category = of_category) order by location
$$;
create index if not exists resources_location_listing
  on public.resources (location, featured desc, date desc, title, id) where location is not null;

-- A regular expression that matches the words literally.
create or replace function private.literally(words text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select regexp_replace(words, '([\\^$.*+?()[\]{}|])', '\\\1', 'g')
$$;

-- The rules of search and filters (specification, section 5). PostgreSQL puts this text in the place of the call, so
-- that the two below get a plan for the words at hand: an index for rare ones, and for common ones the order of the
-- listing, until there are enough. What is cheap to look at comes first. No title and no sentence is looked for with more than 200 characters.
create or replace function private.matching_resources(
  words text, of_category text, in_grade smallint, of_genders text[], at_location text, reads_all boolean
) returns setof public.resources language sql stable as $$
  select * from public.resources
  where (public or reads_all)
    and (of_category is null or category = of_category)
    and (in_grade is null or (grade_low <= in_grade and grade_high >= in_grade))
    and (of_genders is null or gender = any (of_genders))
    and (at_location is null or location = at_location)
    and length(words) <= 200 and (title ~* private.literally(words) or description ~* private.literally(words))
$$;

-- Under row-level security PostgreSQL would read every row that the caller may see before it tries a pattern on it, and
-- knows nothing of how common words are: a pattern might tell of rows that it must not see. These two act as the owner,
-- who is free to use indexes and statistics, and look at public rows only, unless the caller is known to read all.
create or replace function private.matching_ids(
  words text, of_category text, in_grade smallint, of_genders text[], at_location text, most integer
) returns setof uuid
language plpgsql stable security definer rows 10 set search_path = '' set plan_cache_mode = force_custom_plan as $$
declare
  reads_all boolean := current_setting('role') in ('authenticated', 'service_role');
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
  reads_all boolean := current_setting('role') in ('authenticated', 'service_role');
begin
  return (select count(*) from (
    select from private.matching_resources(words, of_category, in_grade, of_genders, at_location, reads_all)
    limit most) as counted);
end
$$;
revoke execute on function private.literally(text), private.matching_resources(text, text, smallint, text[], text, boolean),
  private.matching_ids(text, text, smallint, text[], text, integer),
  private.count_matches(text, text, smallint, text[], text, integer) from public;
grant execute on function private.matching_ids(text, text, smallint, text[], text, integer),
  private.count_matches(text, text, smallint, text[], text, integer) to anon, authenticated, service_role;

-- The first resources, in the order of the listing, whose title or description holds the words: at most `most`, and
-- never more than 300. Row-level security judges every row once more.
create or replace function public.search_resources(
  words text, of_category text default null, in_grade smallint default null, of_genders text[] default null,
  at_location text default null, most integer default 300
) returns setof public.resources
language sql stable rows 10 set search_path = '' as $$
  select * from public.resources where id in (
    select private.matching_ids(words, of_category, in_grade, of_genders, at_location, least(most, 300)))
$$;

-- How many resources a listing holds that the caller may see. Searching stops at 301, which says: over 300.
create or replace function public.count_resources(
  words text default null, of_category text default null, in_grade smallint default null,
  of_genders text[] default null, at_location text default null
) returns bigint
language sql stable set search_path = '' as $$
  select case
    when words is not null then private.count_matches(words, of_category, in_grade, of_genders, at_location, 301)
    else (select coalesce(sum(resources), 0)::bigint from public.resource_counts
      where (of_category is null or category = of_category)
        and (in_grade is null or (grade_low <= in_grade and grade_high >= in_grade))
        and (of_genders is null or gender = any (of_genders))
        and (at_location is null or location = at_location))
  end
$$;
revoke execute on function public.search_resources(text, text, smallint, text[], text, integer),
  public.count_resources(text, text, smallint, text[], text) from public;
grant execute on function public.search_resources(text, text, smallint, text[], text, integer),
  public.count_resources(text, text, smallint, text[], text) to anon, authenticated, service_role;
