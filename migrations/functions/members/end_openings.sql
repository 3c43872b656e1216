-- Ends the ways in which an organization opens an account: the links of its providers and the passkeys of its
-- domains, and with them the sign-ins by these (public.opens). Called by public.remove_member and
-- public.delete_scim_user.
create or replace function public.end_openings(p_organization_id bigint, p_user_id bigint) returns void
language sql as $$
  delete from public.social_accounts a using public.sites s
   where s.id = a.site_id and s.organization_id = p_organization_id and a.user_id = p_user_id;
  delete from public.passkeys k where k.user_id = p_user_id and k.organization_id = p_organization_id
$$;
