-- One profile per account, made with the account. "savedResources" is the member's private list of resource ids.
create table if not exists public.users (
  id uuid primary key references auth.users (id) on delete cascade,
  email text,
  name text check (length(name) <= 200),
  avatar text check (length(avatar) <= 2000),
  role text not null default 'member' check (role in ('admin', 'member')),
  "savedResources" uuid[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
drop trigger if exists touch_updated_at on public.users;
create trigger touch_updated_at before update on public.users
  for each row execute function public.touch_updated_at();

-- Functions that only policies and triggers call; this schema is never exposed through the API.
create schema if not exists private;
grant usage on schema private to anon, authenticated, service_role;

create or replace function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.users where id = (select auth.uid()) and role = 'admin')
$$;
grant execute on function private.is_admin() to anon, authenticated, service_role;

-- The name is the part of the address before the @ (specification, section 3).
create or replace function private.create_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.users (id, email, name) values (new.id, new.email, split_part(new.email, '@', 1))
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

-- A client that inserts its own profile again (section 7) gets no error and changes nothing.
create or replace function private.skip_existing_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (select from public.users where id = new.id and id = (select auth.uid())) then
    return null;
  end if;
  return new;
end
$$;
drop trigger if exists skip_existing_profile on public.users;
create trigger skip_existing_profile before insert on public.users
  for each row execute function private.skip_existing_profile();
