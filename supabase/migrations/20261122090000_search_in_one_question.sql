-- A search asks once, and its cost no longer hangs on how common PostgreSQL takes the words to be. That guess comes from
-- a hundred rows: of a word that none of them holds it is wrong by little, of one that by chance one of them holds it
-- read the whole library in the order of the listing (decision 0030). What people find stays the same.

-- The filters of a listing (specification, section 5). PostgreSQL puts this text in the place of the call.
create or replace function private.listed_resources(
  of_category text, in_grade smallint, of_genders text[], at_location text, reads_all boolean
) returns setof public.resources language sql stable as $$
  select * from public.resources
  where (public or reads_all)
    and (of_category is null or category = of_category)
    and (in_grade is null or (grade_low <= in_grade and grade_high >= in_grade))
    and (of_genders is null or gender = any (of_genders))
    and (at_location is null or location = at_location)
$$;

-- Those of them whose title or description holds the words. That they come from a query of their own keeps the planner
-- from guessing by them, which takes longer than most searches. No title and no sentence is looked for with more than 200 characters.
create or replace function private.matching_resources(
  words text, of_category text, in_grade smallint, of_genders text[], at_location text, reads_all boolean
) returns setof public.resources language sql stable as $$
  select * from private.listed_resources(of_category, in_grade, of_genders, at_location, reads_all)
  where length(words) <= 200
    and (title ~* (select private.literally(words)) or description ~* (select private.literally(words)))
$$;

-- How many resources match (301 says: over 300), and the ids of those from the `first` to the `last` in the order of the
-- listing. Acts as the owner, as decision 0014 says, and looks at public rows only, unless the caller is known to read all.
create or replace function private.find_matches(
  words text, of_category text, in_grade smallint, of_genders text[], at_location text, first integer, last integer,
  out total bigint, out ids uuid[]
) language plpgsql stable security definer
  -- An index that leaves out other categories is better than one that is in order by chance: most pages are in memory.
  set search_path = '' set plan_cache_mode = force_custom_plan set random_page_cost = 1.1 as $$
declare
  reads_all constant boolean := private.reads_all();
  pattern constant text := private.literally(words);
  most_counted constant integer := 301;
  head constant integer := 200;
  looked_at integer;
  enough integer;
begin
  <<search>> begin
    -- Words without three letters in a row are in no index.
    if words !~ '[[:alnum:]]{3}' then
      ids := array(
        select id from private.matching_resources(words, of_category, in_grade, of_genders, at_location, reads_all)
        order by featured desc, date desc, title, id limit greatest(last, most_counted));
      total := cardinality(ids);
      exit search;
    end if;

    -- The beginning of the listing tells how common the words are; in a small library it is all there is.
    select count(*), coalesce(array_agg(id) filter (where title ~* pattern or description ~* pattern), '{}')
      into looked_at, ids
      from (select id, title, description
        from private.listed_resources(of_category, in_grade, of_genders, at_location, reads_all)
        order by featured desc, date desc, title, id limit head) as listed
      where length(words) <= 200;
    total := cardinality(ids);
    exit search when looked_at < head;

    -- Of rare words, fewer than one in a hundred, the index names all.
    if total * 100 < head then
      ids := array(
        select id from private.matching_resources(words, of_category, in_grade, of_genders, at_location, reads_all)
        order by featured desc, date desc, title, id);
      total := cardinality(ids);
      exit search;
    end if;

    -- Common ones, one in ten or more, are counted in the first rows that come, or in the first of the listing.
    if total * 10 >= head then
      enough := 1.2 * greatest(most_counted, last) * head / total;
      if total >= last then
        select count(*), count(*) filter (where title ~* pattern or description ~* pattern) into looked_at, total
          from (select title, description
            from private.listed_resources(of_category, in_grade, of_genders, at_location, reads_all)
            limit enough) as others;
      else
        select count(*), array_agg(id) filter (where title ~* pattern or description ~* pattern) into looked_at, ids
          from (select id, title, description
            from private.listed_resources(of_category, in_grade, of_genders, at_location, reads_all)
            order by featured desc, date desc, title, id limit enough) as listed;
        total := cardinality(ids);
      end if;
    end if;
    -- Others are counted by the index.
    if looked_at = head or (looked_at = enough and total < most_counted) then
      total := (select count(*) from (
        select from private.matching_resources(words, of_category, in_grade, of_genders, at_location, reads_all)
        limit most_counted) as counted);
    end if;
    if cardinality(ids) < last and (total >= most_counted or cardinality(ids) < total) then
      ids := array(
        select id from private.matching_resources(words, of_category, in_grade, of_genders, at_location, reads_all)
        order by featured desc, date desc, title, id limit last);
    end if;
  end;
  total := least(total, most_counted);
  ids := ids[first : last];
end
$$;
revoke execute on function private.listed_resources(text, smallint, text[], text, boolean),
  private.find_matches(text, text, smallint, text[], text, integer, integer) from public;
grant execute on function private.find_matches(text, text, smallint, text[], text, integer, integer)
  to anon, authenticated, service_role;

-- What was asked by two functions before finds by the same way.
create or replace function private.matching_ids(
  words text, of_category text, in_grade smallint, of_genders text[], at_location text, most integer
) returns setof uuid language sql stable rows 10 set search_path = '' as $$
  select unnest(ids) from private.find_matches(words, of_category, in_grade, of_genders, at_location, 1, most)
$$;
create or replace function private.count_matches(
  words text, of_category text, in_grade smallint, of_genders text[], at_location text, most integer
) returns bigint language sql stable set search_path = '' as $$
  select least(total, most) from private.find_matches(words, of_category, in_grade, of_genders, at_location, 1, 0)
$$;

-- A page of a search and the number of its matches: {"total": 301 for over 300, "resources": […]}. The first 3,000 can be
-- read so. Row-level security judges every row once more.
create or replace function public.search_page(
  words text, of_category text default null, in_grade smallint default null, of_genders text[] default null,
  at_location text default null, page integer default 1, size integer default 12
) returns json language sql stable set search_path = '' as $$
  select json_build_object('total', found.total, 'resources', (
    select coalesce(json_agg(to_json(summary) order by place), '[]')
    from unnest(found.ids) with ordinality as named (id, place)
      join lateral (
        select id, title, description, category, image_url, image_alt, link, date, grade, gender, location, public,
          "audioUrl", "lastPlayedPosition", duration, featured, created_at, updated_at
        from public.resources where resources.id = named.id
      ) as summary on true))
  from private.find_matches(words, of_category, in_grade, of_genders, at_location,
    (greatest(page, 1) - 1) * least(greatest(size, 1), 100) + 1,
    least(greatest(page, 1) * least(greatest(size, 1), 100), 3000)) as found
$$;
revoke execute on function
  public.search_page(text, text, smallint, text[], text, integer, integer) from public;
grant execute on function
  public.search_page(text, text, smallint, text[], text, integer, integer) to anon, authenticated, service_role;
