-- Signs in with a passkey whose signature was checked: p_counter is its signature counter. p_sign_in: the
-- sign-in of the same account that waits for this second factor; null: the passkey alone signs in. Returns
-- the sign-in; no row if the account cannot sign in, the counter is not higher than before (the passkey may
-- have been copied), a superuser uses a passkey that counts in one organization, the host of the passkey now
-- belongs to another organization, or the sign-in no longer waits. Called by src/identity/accounts.
create or replace function public.use_passkey(p_id bigint, p_counter bigint, p_sign_in uuid)
returns table (user_id bigint, generation integer, organization_id bigint, methods text[])
language plpgsql as $$
declare
  account public.users;
  passkey public.passkeys;
begin
  select u.* into account from public.users u
    join public.passkeys k on k.user_id = u.id where k.id = p_id for no key update of u;
  update public.passkeys k set counter = p_counter, last_used_at = now()
   where k.id = p_id and (k.counter < p_counter or k.counter = 0 and p_counter = 0)
  returning k.* into passkey;
  if passkey.id is null or not account.is_active
     or passkey.organization_id is not null
        and (account.is_superuser
             or passkey.organization_id is distinct from public.party_organization(passkey.rp_id, false)) then
    return;
  end if;
  user_id := account.id;
  generation := account.generation;
  organization_id := passkey.organization_id;
  methods := '{}';
  if p_sign_in is not null then
    delete from public.sign_in_challenges c
     where c.id = p_sign_in and c.user_id = account.id and c.generation = account.generation
       and c.expires_at > now() and passkey.organization_id is null
    returning c.organization_id, c.methods into organization_id, methods;
    if not found then
      return;
    end if;
  end if;
  update public.users u set last_login = now() where u.id = account.id;
  return next;
end $$;
