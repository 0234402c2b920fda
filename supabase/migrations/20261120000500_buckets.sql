-- Pictures and recordings: public to read by address, writable by admins, limited in size and type (section 5).
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types) values
  ('images', 'images', true, 5 * 1024 * 1024, array['image/*']),
  ('audio', 'audio', true, 50 * 1024 * 1024, array['audio/*', 'video/mp4'])
on conflict (id) do nothing;

drop policy if exists "admins see buckets" on storage.buckets;
create policy "admins see buckets" on storage.buckets for select to authenticated using ((select private.is_admin()));

drop policy if exists "admins manage pictures and recordings" on storage.objects;
create policy "admins manage pictures and recordings" on storage.objects for all to authenticated
  using (bucket_id in ('images', 'audio') and (select private.is_admin()))
  with check (bucket_id in ('images', 'audio') and (select private.is_admin()));
