-- Removes the second factors and passkeys of an account that were added while the account had an earlier
-- e-mail address. Called by public.drop_unproven, public.drop_proven and public.accept_invitation.
create or replace function public.drop_foreign_factors(p_user_id bigint) returns void
language plpgsql as $$
begin
  update public.users u set factors_are_own = true where u.id = p_user_id and not u.factors_are_own;
  if found then
    delete from public.totp_secrets t where t.user_id = p_user_id;
    delete from public.passkeys k where k.user_id = p_user_id;
    delete from public.recovery_codes r where r.user_id = p_user_id;
    delete from public.trusted_devices t where t.user_id = p_user_id;
  end if;
end $$;
