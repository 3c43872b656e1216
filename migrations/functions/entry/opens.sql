-- Returns whether a provider of one of the organization's sites, or a passkey of the domain of one, opens the
-- account. Called by public.counts.
create or replace function public.opens(p_organization_id bigint, p_user_id bigint) returns boolean stable
language sql as $$
  select exists (
    select from public.social_accounts a join public.sites s on s.id = a.site_id
     where a.user_id = p_user_id and s.organization_id = p_organization_id)
  or exists (
    select from public.passkeys k
     where k.user_id = p_user_id and k.organization_id = p_organization_id
       and k.organization_id = public.party_organization(k.rp_id, false))
$$;
