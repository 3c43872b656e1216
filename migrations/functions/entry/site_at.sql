-- Returns the slug of the site that a request names: the site that has the host as a verified domain,
-- otherwise the site with the slug p_slug; null: there is none. The site must be active, or this transaction
-- must be a step of its transfer. Called by many functions and areas that take p_host and p_slug.
create or replace function public.site_at(p_host text, p_slug text) returns text stable
language sql as $$
  select s.slug from public.sites s
   where (s.is_active or public.is_transferred(s.id)) and s.id = coalesce(
     (select d.site_id from public.site_domains d where d.domain = p_host and d.verified_at is not null),
     (select x.id from public.sites x where x.slug = p_slug))
$$;
