-- Where service_role could not be given BYPASSRLS (most managed PostgreSQL), a policy on each of our tables lets it
-- through instead. Run after the migrations at every start, so that new tables are never forgotten.
do $$
declare
  guarded regclass;
begin
  if (select rolbypassrls from pg_roles where rolname = 'service_role') then
    return;
  end if;
  for guarded in
    select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'storage') and c.relkind in ('r', 'p') and c.relrowsecurity
      and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'service_role may do everything')
  loop
    execute format(
      'create policy "service_role may do everything" on %s to service_role using (true) with check (true)', guarded);
  end loop;
end
$$;
