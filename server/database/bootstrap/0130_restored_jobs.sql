-- Jobs that were waiting when a backup was made. The queues that they belong to are made when the service starts, and
-- take them over then.
create table if not exists platform.restored_jobs (
  id uuid primary key default gen_random_uuid(),
  queue text not null,
  data jsonb not null,
  priority integer not null default 0,
  start_after timestamptz not null default now()
);
alter table platform.restored_jobs enable row level security;
