-- A search counts its first 300 matches, as before, and shows more than these to who pages on: up to 3,000.
create or replace function public.search_resources(
  words text, of_category text default null, in_grade smallint default null, of_genders text[] default null,
  at_location text default null, most integer default 300
) returns setof public.resources
language sql stable rows 10 set search_path = '' as $$
  select * from public.resources where id in (
    select private.matching_ids(words, of_category, in_grade, of_genders, at_location, least(most, 3000)))
$$;
