-- Removes the authenticator app of an account, or the passkey p_passkey. Ends all sign-ins except that of the
-- request (p_session), and the trust in devices. With the last factor, the recovery codes are removed, too.
-- Keeps the passkey if the account would have no way to sign in without it: no password, no provider and no
-- other passkey of the service. Queues the notice p_notice to the owner. Returns 'removed', 'missing' or
-- 'last'. Called by src/identity/accounts.
create or replace function public.remove_factor(
  p_user_id bigint, p_session uuid, p_passkey bigint, p_notice uuid
) returns text
language plpgsql as $$
declare
  account public.users;
begin
  select u.* into account from public.users u where u.id = p_user_id for no key update;
  if p_passkey is null then
    delete from public.totp_secrets t where t.user_id = p_user_id and t.confirmed_at is not null;
  elsif account.password_hash is null
    and not exists (select from public.social_accounts a where a.user_id = p_user_id)
    and not exists (select from public.passkeys k
                     where k.user_id = p_user_id and k.organization_id is null and k.id <> p_passkey)
    and exists (select from public.passkeys k
                 where k.user_id = p_user_id and k.organization_id is null and k.id = p_passkey) then
    return 'last';
  else
    delete from public.passkeys k where k.user_id = p_user_id and k.id = p_passkey;
  end if;
  if not found then
    return 'missing';
  end if;
  if not public.has_factor(p_user_id) then
    delete from public.recovery_codes r where r.user_id = p_user_id;
  end if;
  delete from public.sign_in_challenges c where c.user_id = p_user_id;
  delete from public.trusted_devices t where t.user_id = p_user_id;
  update public.refresh_families f set revoked_at = now()
   where f.user_id = p_user_id and f.revoked_at is null and f.id is distinct from p_session;
  insert into public.account_emails (id, kind, recipient, user_id)
  values (p_notice, 'factors-changed', account.email, p_user_id);
  return 'removed';
end $$;
