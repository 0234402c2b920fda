-- What admins ask before they remove a picture or recording, and what their dashboard asks.

-- The last changes come first there.
create index if not exists resources_updated_at on public.resources (updated_at desc, id);

-- An article's HTML; what is not base64 of UTF-8 stands as it is.
create or replace function private.article_html(content text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return convert_from(decode(content, 'base64'), 'UTF8');
exception when others then
  return content;
end
$$;
revoke execute on function private.article_html(text) from public;
grant execute on function private.article_html(text) to authenticated, service_role;

-- The resources of the library that show or play a stored file, also in another size; deleted ones do not count.
-- Nothing for anybody but admins, and for addresses that lead to no public file of ours.
create or replace function public.media_uses(address text) returns table (id uuid, title text)
language sql stable set search_path = '' as $$
  select resources.id, resources.title
  from public.resources, substring(address from '/storage/v1/(?:object|render/image)(/public/[^?#]+)') as file
  where (select private.is_admin()) and (
    right(split_part(image_url, '?', 1), length(file)) = file
    or right(split_part("audioUrl", '?', 1), length(file)) = file
    or strpos(private.article_html(article_content), file) > 0
  )
  order by resources.title, resources.id
$$;
comment on function public.media_uses(text) is 'Which resources use a stored file, for admins';

-- How many files there are in each bucket that the caller may see, and how many bytes they hold.
create or replace function public.storage_usage() returns table (bucket text, files bigint, bytes bigint)
language sql stable set search_path = '' as $$
  select bucket_id, count(*), coalesce(sum((metadata ->> 'size')::bigint), 0)::bigint
  from storage.objects where (select private.is_admin()) group by bucket_id order by bucket_id
$$;
comment on function public.storage_usage() is 'Files and bytes in each bucket, for admins';

revoke execute on function public.media_uses(text), public.storage_usage() from public, anon;
grant execute on function public.media_uses(text), public.storage_usage() to authenticated;
