-- The API roles of every Supabase project. The server's own login may become each of them inside a transaction.
do $$
declare
  api_role text;
begin
  foreach api_role in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = api_role) then
      execute format('create role %I nologin noinherit', api_role);
    end if;
    execute format('grant %I to %I', api_role, current_user);
  end loop;
  -- Needs a superuser, as PGlite's and most servers' owner is; elsewhere the role is made beforehand by the operator.
  if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    alter role service_role bypassrls;
  end if;
end
$$;

grant usage on schema public to anon, authenticated, service_role;
-- As Supabase has it since 2026: nothing in public is exposed until a migration grants it.
alter default privileges in schema public revoke execute on functions from public;

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;
