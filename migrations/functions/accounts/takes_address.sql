-- Returns whether new accounts of a site may have an e-mail address: the site allows its domain, or all
-- domains. Called by public.takes_sign_up, public.sign_in_socially and src/identity/accounts.
create or replace function public.takes_address(p_site public.sites, p_email text) returns boolean immutable
language sql as $$
  select cardinality(p_site.allowed_domains) = 0
      or coalesce(lower(split_part(p_email, '@', 2)) = any (p_site.allowed_domains), false)
$$;
