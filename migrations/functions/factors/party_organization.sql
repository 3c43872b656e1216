-- Returns the organization in which the sign-ins and passkeys of a host count: that of the site whose
-- verified domain the host is. Null for the service itself, whose passkeys count everywhere, and for a host
-- of no site. Called by public.add_passkey, public.finish_passkey_sign_up, public.use_passkey, public.opens,
-- public.attempt_challenge, public.counts, src/kernel/access and src/identity/accounts.
create or replace function public.party_organization(p_host text, p_is_service boolean)
returns bigint stable
language sql as $$
  select s.organization_id from public.site_domains d join public.sites s on s.id = d.site_id
   where not p_is_service and d.domain = p_host and d.verified_at is not null and s.is_active
$$;
