-- Returns whether the sign-ins of an account need a second factor: whether it has an authenticator app or a
-- passkey of the service. A passkey of a site's domain counts only in its organization, so it is not a second
-- factor. Called by public.confirm_totp, public.add_passkey, public.lacks_required_factor, public.managed_by,
-- public.remove_factor, public.require_factor and src/kernel/access.
create or replace function public.has_factor(p_user_id bigint) returns boolean stable
language sql as $$
  select exists (select from public.totp_secrets t
                  where t.user_id = p_user_id and t.confirmed_at is not null)
      or exists (select from public.passkeys k where k.user_id = p_user_id and k.organization_id is null)
$$;
