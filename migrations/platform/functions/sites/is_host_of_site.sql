-- Whether a host is one of the site that a request names: a verified domain of it, or the one that its slug has below p_base.
create or replace function public.is_host_of_site(p_host text, p_slug text, p_other text, p_base text) returns boolean stable
language sql as $$
  select exists (select from public.sites s
                  where s.slug = public.site_at(p_host, p_slug)
                    and (p_other = s.slug || '.' || p_base
                         or exists (select from public.site_domains d where d.site_id = s.id and d.domain = p_other and d.verified_at is not null)))
$$;
