-- Returns the sites whose functions receive the events of an account: the site that the request names, if it
-- belongs to one of the account's organizations (p_organizations) or the account has none; otherwise all
-- active sites of these organizations that are not paused. Called by public.account_listeners and
-- public.announce_account.
create or replace function public.hearing_sites(p_host text, p_slug text, p_organizations bigint[])
returns table (id bigint, organization_id bigint, slug text, paused boolean) stable
language sql as $$
  with here as (
    select s.id, s.organization_id, s.slug, s.paused from public.sites s
     where s.slug = public.site_at(p_host, p_slug)
       and (p_organizations = '{}' or s.organization_id = any (p_organizations))
  )
  select h.* from here h
  union all
  select s.id, s.organization_id, s.slug, s.paused from public.sites s
   where s.is_active and not s.paused and s.organization_id = any (p_organizations)
     and not exists (select from here)
$$;
