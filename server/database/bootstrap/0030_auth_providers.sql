-- What flows to other providers need, and single sign-on by SAML: Supabase's own tables and columns.
-- A flow without a challenge (implicit) needs a place too; `id` is the state that the provider brings back.
alter table auth.flow_state
  add column if not exists referrer text,
  add column if not exists invite_token text,
  add column if not exists oauth_client_state_id uuid,
  add column if not exists linking_target_id uuid references auth.users (id) on delete cascade,
  add column if not exists email_optional boolean not null default false;

create table if not exists auth.sso_providers (
  id uuid primary key,
  resource_id text check (resource_id is null or char_length(resource_id) > 0),
  created_at timestamptz,
  updated_at timestamptz,
  disabled boolean
);
create unique index if not exists sso_providers_resource_id_idx on auth.sso_providers (lower(resource_id));

create table if not exists auth.sso_domains (
  id uuid primary key,
  sso_provider_id uuid not null references auth.sso_providers (id) on delete cascade,
  domain text not null check (char_length(domain) > 0),
  created_at timestamptz,
  updated_at timestamptz
);
create unique index if not exists sso_domains_domain_idx on auth.sso_domains (lower(domain));
create index if not exists sso_domains_sso_provider_id_idx on auth.sso_domains (sso_provider_id);

create table if not exists auth.saml_providers (
  id uuid primary key,
  sso_provider_id uuid not null references auth.sso_providers (id) on delete cascade,
  entity_id text not null unique check (char_length(entity_id) > 0),
  metadata_xml text not null check (char_length(metadata_xml) > 0),
  metadata_url text check (metadata_url is null or char_length(metadata_url) > 0),
  attribute_mapping jsonb,
  name_id_format text,
  created_at timestamptz,
  updated_at timestamptz
);
create index if not exists saml_providers_sso_provider_id_idx on auth.saml_providers (sso_provider_id);

-- One row for each request that is on its way to an identity provider: its answer is taken once.
create table if not exists auth.saml_relay_states (
  id uuid primary key,
  sso_provider_id uuid not null references auth.sso_providers (id) on delete cascade,
  request_id text not null check (char_length(request_id) > 0),
  for_email text,
  redirect_to text,
  flow_state_id uuid references auth.flow_state (id) on delete cascade,
  created_at timestamptz,
  updated_at timestamptz
);
create index if not exists saml_relay_states_created_at_idx on auth.saml_relay_states (created_at desc);
create index if not exists saml_relay_states_sso_provider_id_idx on auth.saml_relay_states (sso_provider_id);

do $$
declare
  each_table regclass;
begin
  foreach each_table in array array[
    'auth.sso_providers', 'auth.sso_domains', 'auth.saml_providers', 'auth.saml_relay_states'
  ]::regclass[] loop
    execute format('alter table %s enable row level security', each_table);
  end loop;
end
$$;
