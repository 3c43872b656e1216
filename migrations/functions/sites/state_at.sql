-- Returns the state (public.site_state) of the site with a slug; `unknown` if there is none. Called by
-- public.enter.
create or replace function public.state_at(p_slug text) returns text stable
language sql as $$
  select coalesce((select public.site_state(s) from public.sites s where s.slug = p_slug), 'unknown')
$$;
