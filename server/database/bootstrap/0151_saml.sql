-- What single sign-on with SAML needs beyond Supabase's tables.

-- The key that identity providers encrypt assertions for; sealed (0150). Made once, when it is first asked for.
create table if not exists platform.saml_keys (
  only_row boolean primary key default true check (only_row),
  private_key text not null,
  certificate text not null,
  created_at timestamptz not null default now()
);

-- Assertions that no request of ours asked for, until they have expired: each is taken once.
create table if not exists platform.saml_assertions (
  digest text primary key,
  expires_at timestamptz not null
);
create index if not exists saml_assertions_expires_at_idx on platform.saml_assertions (expires_at);

-- When metadata that has an address was last asked for there, and what was wrong with the answer.
create table if not exists platform.saml_metadata_reads (
  sso_provider_id uuid primary key references auth.sso_providers (id) on delete cascade,
  tried_at timestamptz not null,
  problem text
);

alter table platform.saml_keys enable row level security;
alter table platform.saml_assertions enable row level security;
alter table platform.saml_metadata_reads enable row level security;
