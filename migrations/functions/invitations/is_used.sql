-- Returns whether somebody has ever used an account. An unused account was made for invitations only. Called
-- by public.accept_invitation, public.prove_account, public.needs_proof and src/identity/invitations.
create or replace function public.is_used(p_account public.users) returns boolean immutable
language sql as $$
  select p_account.is_active or p_account.password_hash is not null or p_account.last_login is not null
$$;
