-- Returns whether second factors and passkeys may be added to an account: its e-mail address is verified,
-- nobody else has set its password, and its present factors were added with the same address. So a stranger
-- who made the account for somebody's address, or an admin who knows its password, cannot lock the person out
-- or keep access. S7. Called by public.confirm_totp, public.add_passkey, public.link_own_social_account and
-- src/identity/accounts.
create or replace function public.may_add_factor(p_account public.users) returns boolean stable
language sql as $$
  select p_account.email_verified_at is not null and p_account.factors_are_own
     and (p_account.password_hash is null or p_account.password_is_own)
$$;
