-- The slug of the site that a request names: the one that has its host as a verified domain, else the one of p_slug.
create or replace function public.site_at(p_host text, p_slug text) returns text stable
language sql as $$
  select s.slug from public.sites s
   where s.is_active and s.id = coalesce(
     (select d.site_id from public.site_domains d where d.domain = p_host and d.verified_at is not null),
     (select x.id from public.sites x where x.slug = p_slug))
$$;
