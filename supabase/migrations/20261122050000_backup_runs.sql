-- What became of each nightly backup, for the dashboard. Empty in a hosted project, whose backups Supabase makes.
create table if not exists public.backup_runs (
  id uuid primary key default gen_random_uuid(),
  started_at timestamptz not null default now(),
  ended_at timestamptz,
  -- Where the archive is, without credentials.
  archive text,
  bytes bigint,
  resources bigint,
  files bigint,
  -- Files that the library names and the store did not have.
  missing_files bigint,
  -- verified: restored elsewhere, compared, and pages rendered from it; checked: this machine cannot run a second database,
  -- so only the checksums were compared.
  outcome text not null default 'running' check (outcome in ('running', 'verified', 'checked', 'failed')),
  -- Why it failed, or why it was only checked.
  message text not null default ''
);
create index if not exists backup_runs_started_at on public.backup_runs (started_at desc);
alter table public.backup_runs enable row level security;
revoke all on public.backup_runs from anon, authenticated, service_role;
grant select on public.backup_runs to authenticated, service_role;
drop policy if exists "admins see backups" on public.backup_runs;
create policy "admins see backups" on public.backup_runs for select to authenticated using ((select private.is_admin()));
