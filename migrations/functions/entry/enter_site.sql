-- Lets a caller pass who may manage the site p_slug: a holder of p_permission there; null: anybody with a
-- role or a permission there. Returns the site and the permissions that the caller holds. It does not enter
-- the site: the statements that follow run for the platform. Refuses: TS401 the caller may not sign in; TS403
-- the caller lacks the permission; TS434 the site or its organization requires a second factor, and the
-- caller's account has none; TS404 there is no such site. Called by src/kernel/db and
-- src/identity/organizations.
create or replace function public.enter_site(
  p_caller public.caller, p_slug text, p_permission text, out site_id bigint, out held text[]
) language plpgsql as $$
declare
  superuser constant boolean := (public.find_caller(p_caller)).is_superuser;
  site public.sites;
  membership text;
begin
  select s.* into site from public.sites s where s.slug = p_slug;
  if not found then
    raise sqlstate 'TS404' using message = 'no such site';
  end if;
  membership := (select m.role from public.memberships m
                  where m.organization_id = site.organization_id and m.user_id = p_caller.id);
  held := public.held_permissions(
    p_caller.organization_id, site.organization_id, superuser, membership,
    (select p.permissions from public.site_permissions p
      where p.site_id = site.id and p.user_id = p_caller.id));
  if held = '{}' and (membership is null or p_caller.organization_id <> site.organization_id)
     or p_permission is not null and p_permission <> all (held) then
    raise sqlstate 'TS403' using message = 'the caller lacks the permission';
  end if;
  perform public.require_factor_in(site.organization_id, site.id, p_caller.id);
  site_id := site.id;
end $$;
