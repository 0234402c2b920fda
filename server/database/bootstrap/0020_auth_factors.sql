-- Second factors and passkeys as Supabase keeps them, over the tables of 0004. What it has no column for is ours:
-- `mfa_challenges.session_id`, and the tables in schema platform.
-- New databases have it from the start: a value that is added cannot be used in the same transaction before PostgreSQL 17,
-- and a restore runs all migrations in one.
alter type auth.factor_type add value if not exists 'recovery_code';

alter table auth.mfa_factors add column if not exists last_webauthn_challenge_data jsonb;
create unique index if not exists mfa_factors_user_friendly_name_unique
  on auth.mfa_factors (friendly_name, user_id) where trim(friendly_name) <> '';
create unique index if not exists unique_phone_factor_per_user on auth.mfa_factors (user_id, phone);

-- A challenge is answered in the session that asked for it, and goes with it.
alter table auth.mfa_challenges
  add column if not exists session_id uuid references auth.sessions (id) on delete cascade;
create index if not exists mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id, created_at);

-- The last time step whose code was accepted: a code that was looked over a shoulder does not work a second time.
create table if not exists platform.totp_steps (
  factor_id uuid primary key references auth.mfa_factors (id) on delete cascade,
  step bigint not null
);

-- SHA-256 digests of codes of 79 random bits; the codes themselves are shown once and kept nowhere.
create table if not exists auth.mfa_recovery_codes (
  id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  code_hash text not null,
  created_at timestamptz not null,
  used_at timestamptz,
  unique (factor_id, code_hash)
);

create table if not exists auth.webauthn_credentials (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  credential_id bytea not null unique,
  public_key bytea not null,
  attestation_type text not null default '',
  aaguid uuid,
  sign_count bigint not null default 0,
  transports jsonb not null default '[]',
  backup_eligible boolean not null default false,
  backed_up boolean not null default false,
  friendly_name text not null default '',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index if not exists webauthn_credentials_user_id_idx on auth.webauthn_credentials (user_id);

create table if not exists auth.webauthn_challenges (
  id uuid primary key default gen_random_uuid(),
  user_id uuid references auth.users (id) on delete cascade,
  challenge_type text not null check (challenge_type in ('signup', 'registration', 'authentication')),
  session_data jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index if not exists webauthn_challenges_user_id_idx on auth.webauthn_challenges (user_id);
create index if not exists webauthn_challenges_expires_at_idx on auth.webauthn_challenges (expires_at);

alter table platform.totp_steps enable row level security;
alter table auth.mfa_recovery_codes enable row level security;
alter table auth.webauthn_credentials enable row level security;
alter table auth.webauthn_challenges enable row level security;
