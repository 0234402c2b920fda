-- The API's keys, where several machines share the database: pages that one of them renders carry the publishable key to
-- all of them, and what one signs with the secret key another must recognise. One row; whoever comes first offers it.
create table if not exists platform.api_keys (
  only_row boolean primary key default true check (only_row),
  publishable text not null,
  secret text not null
);
alter table platform.api_keys enable row level security;
