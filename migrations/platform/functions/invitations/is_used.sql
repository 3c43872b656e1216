-- Whether somebody has ever used an account. One that is not was made for invitations alone.
create or replace function public.is_used(p_account public.users) returns boolean immutable
language sql as $$
  select p_account.is_active or p_account.password_hash is not null or p_account.last_login is not null
$$;
