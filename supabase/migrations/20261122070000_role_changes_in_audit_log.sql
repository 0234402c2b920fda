-- Who may manage the library is written down whenever it changes, whichever way it is changed: the command, SQL, a service.
create or replace function private.note_role_change() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into auth.audit_log_entries (instance_id, id, payload, ip_address, created_at)
  values ('00000000-0000-0000-0000-000000000000', gen_random_uuid(), json_build_object(
    'action', 'user_modified',
    'actor_id', coalesce((select auth.uid()), '00000000-0000-0000-0000-000000000000'),
    'actor_username', coalesce((select auth.jwt()) ->> 'email', 'service_role'),
    'actor_via_sso', false,
    'log_type', 'user',
    'traits', json_build_object(
      'user_id', new.id, 'user_email', new.email, 'changed', 'role', 'before', old.role, 'after', new.role)
  ), '', now());
  return null;
end
$$;

drop trigger if exists note_role_change on public.users;
create trigger note_role_change after update of role on public.users
  for each row when (old.role is distinct from new.role) execute function private.note_role_change();
