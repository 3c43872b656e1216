-- Adds a passkey to an account: p_passkey contains its data. p_hashes: the recovery codes that the account
-- gets if the passkey is its first factor. Returns the new generation of the account, and whether the
-- recovery codes were stored. Returns no row if no factor may be added any more (public.may_add_factor), if
-- somebody already has the passkey, or if the host no longer belongs to a site (public.party_organization).
-- Called by src/identity/accounts.
create or replace function public.add_passkey(
  p_user_id bigint, p_passkey public.new_passkey, p_hashes text[], p_notice uuid
) returns table (generation integer, has_codes boolean)
language plpgsql as $$
declare
  account public.users;
  organization constant bigint := public.party_organization(p_passkey.rp_id, p_passkey.is_service);
begin
  select u.* into account from public.users u where u.id = p_user_id for no key update;
  if not public.may_add_factor(account) or not p_passkey.is_service and organization is null then
    return;
  end if;
  has_codes := organization is null and not public.has_factor(p_user_id);
  insert into public.passkeys
    (user_id, credential_id, public_key, counter, rp_id, organization_id, transports, name)
  values (p_user_id, p_passkey.credential_id, p_passkey.public_key, p_passkey.counter, p_passkey.rp_id,
          organization, p_passkey.transports, p_passkey.name)
  on conflict do nothing;
  if found then
    generation := public.note_new_factor(p_user_id, case when has_codes then p_hashes end, p_notice);
    return next;
  end if;
end $$;
