-- Returns whether p_other_host is a host of the site that a request names (p_host, p_slug): a verified domain
-- of the site, or the site's slug below the domain p_base_domain. Called by src/identity/login.
create or replace function public.is_host_of_site(
  p_host text, p_slug text, p_other_host text, p_base_domain text
) returns boolean stable
language sql as $$
  select exists (
    select from public.sites s
     where s.slug = public.site_at(p_host, p_slug)
       and (p_other_host = s.slug || '.' || p_base_domain
            or exists (select from public.site_domains d
                        where d.site_id = s.id and d.domain = p_other_host and d.verified_at is not null)))
$$;
