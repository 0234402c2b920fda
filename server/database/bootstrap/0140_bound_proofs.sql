-- What somebody began belongs to the session that they began it in, and a mailed link to its own PKCE flow.
alter table auth.flow_state
  add column if not exists linking_session_id uuid references auth.sessions (id) on delete cascade;
create index if not exists flow_state_linking_session_id_idx on auth.flow_state (linking_session_id);

alter table auth.one_time_tokens
  add column if not exists flow_state_id uuid references auth.flow_state (id) on delete set null,
  add column if not exists session_id uuid references auth.sessions (id) on delete set null;
create index if not exists one_time_tokens_flow_state_id_idx on auth.one_time_tokens (flow_state_id);
create index if not exists one_time_tokens_session_id_idx on auth.one_time_tokens (session_id);
