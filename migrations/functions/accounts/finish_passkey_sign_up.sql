-- Finishes a sign-up with a passkey, as public.finish_sign_up does, for a person who also has the passkey.
-- Its signature was checked before; p_counter is its signature counter. p_hashes: the recovery codes that the
-- account gets if the passkey is one of the service. Returns the account; null where public.finish_sign_up
-- returns null, and if the host of the passkey no longer belongs to a site. Called by src/identity/accounts.
create or replace function public.finish_passkey_sign_up(
  p_host text, p_slug text, p_token_hash text, p_username text, p_counter bigint, p_hashes text[],
  out account public.users, out has_codes boolean
) language plpgsql as $$
declare
  wanted public.sign_ups;
  passkey public.new_passkey;
  organization bigint;
begin
  select w.* into wanted from public.sign_ups w join public.account_emails e on e.id = w.id
   where e.token_hash = p_token_hash and w.passkey is not null;
  passkey := jsonb_populate_record(null::public.new_passkey, wanted.passkey);
  organization := public.party_organization(passkey.rp_id, passkey.is_service);
  if wanted.id is null or not passkey.is_service and organization is null then
    return;
  end if;
  account := public.finish_sign_up(p_host, p_slug, p_token_hash, p_username, true);
  if account.id is null then
    return;
  end if;
  insert into public.passkeys
    (user_id, credential_id, public_key, counter, rp_id, organization_id, transports, name, last_used_at)
  values (account.id, passkey.credential_id, passkey.public_key, p_counter, passkey.rp_id, organization,
          passkey.transports, passkey.name, now());
  has_codes := organization is null;
  if has_codes then
    insert into public.recovery_codes (hash, user_id) select h, account.id from unnest(p_hashes) h;
  end if;
end $$;
