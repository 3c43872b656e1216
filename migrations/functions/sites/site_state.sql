-- Returns the state of a site: `active`, `suspended`, or `deleted`. Called by public.state_at
-- and src/identity/organizations.
create or replace function public.site_state(p_site public.sites) returns text immutable
language sql as $$
  select case when p_site.deletes_at is not null then 'deleted'
              when p_site.is_active then 'active' else 'suspended' end
$$;
