-- What can still be restored shows and plays its files again: they count as used for those 30 days.
-- Nothing for anybody but admins, and for addresses that lead to no public file of ours.
create or replace function public.media_uses(address text) returns table (id uuid, title text)
language sql stable set search_path = '' as $$
  with shown as (
    select resources.id, resources.title, resources.image_url, resources."audioUrl", resources.article_content
    from public.resources
    union all
    select deleted.id, deleted.title, deleted.image_url, deleted."audioUrl", deleted.resource ->> 'article_content'
    from public.deleted_resources as deleted where deleted.deleted_at > now() - interval '30 days'
  )
  select shown.id, shown.title
  from shown, substring(address from '/storage/v1/(?:object|render/image)(/public/[^?#]+)') as file
  where (select private.is_admin()) and (
    right(split_part(image_url, '?', 1), length(file)) = file
    or right(split_part("audioUrl", '?', 1), length(file)) = file
    or strpos(private.article_html(article_content), file) > 0
  )
  order by shown.title, shown.id
$$;
comment on function public.media_uses(text) is
  'Which resources use a stored file, those that can still be restored among them, for admins';
