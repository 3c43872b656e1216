-- Returns whether an account was made for invitations only and nobody has used it. Called by
-- public.cancel_invitation, public.release_address, public.is_address_taken and public.create_scim_user.
create or replace function public.is_placeholder(p_account public.users) returns boolean stable
language sql as $$
  select not p_account.is_active and p_account.password_hash is null and p_account.last_login is null
     and not exists (select from public.memberships m where m.user_id = p_account.id)
     and not exists (select from public.social_accounts s where s.user_id = p_account.id)
$$;
