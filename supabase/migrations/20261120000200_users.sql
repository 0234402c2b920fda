-- One profile per account, made with the account. "savedResources" is the member's private list of resource ids.
create table if not exists public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  email text,
  name text check (length(name) <= 200),
  avatar text check (length(avatar) <= 2000),
  role text not null default 'member' check (role in ('admin', 'member')),
  "savedResources" uuid[] not null default '{}' check (cardinality("savedResources") <= 10000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
drop trigger if exists touch_updated_at on public.users;
create trigger touch_updated_at before update on public.users
  for each row execute function private.touch_updated_at();

create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.users where id = (select auth.uid()) and role = 'admin')
$$;

-- The name is the part of the address before the @ (specification, section 3).
create or replace function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.users (id, email, name) values (new.id, new.email, left(split_part(new.email, '@', 1), 200))
  on conflict (id) do nothing;
  return new;
end
$$;
drop trigger if exists create_profile on auth.users;
create trigger create_profile after insert on auth.users
  for each row execute function private.create_profile();

create or replace function private.follow_email() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.users set email = new.email where id = new.id;
  return new;
end
$$;
drop trigger if exists follow_email on auth.users;
create trigger follow_email after update of email on auth.users
  for each row when (old.email is distinct from new.email) execute function private.follow_email();

-- A client that inserts its own profile again (section 7) gets no error and changes nothing. Where there is none to
-- keep, the address is the account's, whatever the client claims.
create or replace function private.keep_own_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.id is distinct from auth.uid() then
    return new;
  end if;
  if exists (select from public.users where id = new.id) then
    return null;
  end if;
  new.email = (select email from auth.users where id = new.id);
  return new;
end
$$;
drop trigger if exists keep_own_profile on public.users;
create trigger keep_own_profile before insert on public.users
  for each row execute function private.keep_own_profile();

revoke execute on function private.is_admin(), private.create_profile(), private.follow_email(), private.keep_own_profile()
  from public;
grant execute on function private.is_admin() to authenticated, service_role;
