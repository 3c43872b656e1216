-- For the management of a site: refuses who does not hold p_permission there (null: who has nothing to do with the site),
-- and answers what the caller holds. The statements that follow run as the service.
create or replace function public.enter_site(
  p_caller bigint, p_issued_at timestamptz, p_timeout_ms integer, p_slug text, p_permission text,
  out site_id bigint, out held text[]
) language plpgsql as $$
declare
  superuser boolean := (select e.is_superuser from public.enter_platform(p_caller, p_issued_at, p_timeout_ms) e);
  site public.sites;
  membership text;
begin
  select s.* into site from public.sites s where s.slug = p_slug;
  if not found then
    raise sqlstate 'TS404' using message = 'no such site';
  end if;
  select m.role into membership from public.memberships m where m.organization_id = site.organization_id and m.user_id = p_caller;
  select p.permissions into held from public.site_permissions p where p.site_id = site.id and p.user_id = p_caller;
  held := coalesce(held, '{}');
  if superuser or membership in ('owner', 'admin') or 'admin_site' = any (held) then
    held := array['access_site', 'view_site', 'change_site', 'delete_site', 'manage_site', 'manage_site_users', 'admin_site'];
  end if;
  if p_permission is null and membership is null and held = '{}' or p_permission is not null and not p_permission = any (held) then
    raise sqlstate 'TS403' using message = 'the caller lacks the permission';
  end if;
  site_id := site.id;
end $$;
