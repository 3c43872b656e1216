-- Returns whether an account has a user name. User names are compared without case. T12. Called by
-- public.account_at, public.create_scim_user and public.placeholder_name.
create or replace function public.is_name_taken(p_username text) returns boolean stable
language sql as $$
  select exists (select from public.users u where lower(u.username) = lower(p_username))
$$;
