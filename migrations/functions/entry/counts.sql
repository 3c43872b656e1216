-- Returns whether a sign-in that was opened once still is: one of the platform always; one that counts in a
-- single organization, as long as the account is no superuser's, the tenant's host at which it was issued
-- belongs to the organization, and its password, or else a provider or a passkey of the organization
-- (public.opens), opens the account. The account must have the caller's generation, which is not checked. S7,
-- A8. Called by public.find_caller, src/kernel/access and src/identity/accounts.
create or replace function public.counts(p_caller public.caller) returns boolean stable
language sql as $$
  select p_caller.organization_id is null or coalesce(
    not (select u.is_superuser from public.users u where u.id = p_caller.id)
    and (p_caller.host is null or public.party_organization(p_caller.host, false) = p_caller.organization_id)
    and (p_caller.host is not null and p_caller.by_password
         or public.opens(p_caller.organization_id, p_caller.id)), false)
$$;
