-- The API roles of every Supabase project. The server's own login becomes one of them inside each transaction.
--
-- What that login needs: to own the database, and CREATEROLE, or else the three roles made and granted beforehand.
-- The first user of a managed PostgreSQL has that (Amazon RDS and Aurora, Google Cloud SQL, Azure, Neon). Few of them
-- may grant BYPASSRLS; service_role then gets policies of its own, see service-role.sql.
do $$
declare
  api_role text;
begin
  foreach api_role in array array['anon', 'authenticated', 'service_role'] loop
    if not exists (select from pg_roles where rolname = api_role) then
      execute format('create role %I nologin noinherit', api_role);
    end if;
    -- Asking who is a member of what would not do: since PostgreSQL 16 a membership may leave out SET ROLE.
    begin
      execute format('set local role %I', api_role);
      reset role;
    exception when insufficient_privilege then
      begin
        execute format('grant %I to %I', api_role, current_user);
      exception when insufficient_privilege then
        raise insufficient_privilege using
          message = format('%s may not act as the role %s', current_user, api_role),
          hint = format('Let a superuser run: grant anon, authenticated, service_role to %I', current_user);
      end;
    end;
  end loop;

  if not (select rolbypassrls from pg_roles where rolname = 'service_role') then
    begin
      alter role service_role bypassrls;
    exception when insufficient_privilege then
      raise notice 'service_role gets policies instead of BYPASSRLS';
    end;
  end if;
end
$$;

grant usage on schema public to anon, authenticated, service_role;

create schema if not exists extensions;
grant usage on schema extensions to anon, authenticated, service_role;

-- A function is closed until a migration opens it; those of extensions are open, as on a hosted project. (The default
-- for the public can only be taken away for all schemas at once, and given back for single ones.)
alter default privileges revoke execute on functions from public;
alter default privileges in schema extensions grant execute on functions to public;
