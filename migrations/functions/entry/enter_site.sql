-- Lets a caller pass who may manage the site p_slug: a holder of p_permission there; null: anybody with a
-- role or a permission there. Returns the site and the permissions that the caller holds. It does not enter
-- the site: the statements that follow run for the platform. Refuses: TS401 the caller may not sign in; TS403
-- the caller lacks the permission; TS434 the site or its organization requires a second factor, and the
-- caller's account has none; TS404 there is no such site. Called by src/db and src/organizations.
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
  held := '{}';
  if p_caller.organization_id is null or p_caller.organization_id = site.organization_id then
    select m.role into membership from public.memberships m
     where m.organization_id = site.organization_id and m.user_id = p_caller.id;
    held := coalesce((select p.permissions from public.site_permissions p
                       where p.site_id = site.id and p.user_id = p_caller.id), '{}');
    if superuser or membership in ('owner', 'admin') or 'admin_site' = any (held) then
      held := array['access_site', 'view_site', 'change_site', 'delete_site',
                    'manage_site', 'manage_site_users', 'admin_site'];
    end if;
  end if;
  if p_permission is null and membership is null and held = '{}'
     or p_permission is not null and not p_permission = any (held) then
    raise sqlstate 'TS403' using message = 'the caller lacks the permission';
  end if;
  perform public.require_factor_in(site.organization_id, site.id, p_caller.id);
  site_id := site.id;
end $$;
