-- Secrets that have to be read again are sealed with a key that lives outside of the database (docs/decisions/0016).
-- This row names that key, so that a machine with another one is told so instead of making new secrets of its own.
create table if not exists platform.encryption_key (
  only_row boolean primary key default true check (only_row),
  key_id text not null
);
alter table platform.encryption_key enable row level security;

-- A sealed key is text. The service seals, when it starts, the ones that are still JSON.
do $$
begin
  if (select data_type from information_schema.columns
      where table_schema = 'platform' and table_name = 'signing_keys' and column_name = 'private_key') <> 'text' then
    alter table platform.signing_keys alter column private_key type text using private_key::text;
  end if;
end
$$;
