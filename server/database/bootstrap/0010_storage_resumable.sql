-- Uploads in pieces (the tus protocol): what has arrived so far. The bytes of each piece live with the files port, the
-- object itself appears when all of them are there. Only the server's own login looks in here.
create table if not exists storage.resumable_uploads (
  id uuid primary key,
  bucket_id text not null references storage.buckets (id) on delete cascade,
  name text not null,
  -- Whose upload it is: nobody else may go on with it.
  role text not null,
  owner_id text,
  upsert boolean not null,
  -- Unknown at first, if the client says so.
  size bigint,
  -- As the client sent it; a key without a value is null.
  metadata jsonb not null,
  created_at timestamptz not null default now()
);

create table if not exists storage.resumable_parts (
  upload_id uuid not null references storage.resumable_uploads (id) on delete cascade,
  start bigint not null,
  size bigint not null,
  version text not null,
  primary key (upload_id, start)
);

alter table storage.resumable_uploads enable row level security;
alter table storage.resumable_parts enable row level security;
