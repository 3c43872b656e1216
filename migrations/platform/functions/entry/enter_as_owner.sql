-- As public.enter, for owners of the site's organization, and for superusers. public.enter itself refuses a request that
-- names no site, and a caller who may not sign in.
create or replace function public.enter_as_owner(
  p_host text, p_slug text, p_caller public.caller,
  p_schema_version integer, p_site bigint, p_catalog bigint, p_mode text, p_timeout_ms integer,
  out site_id bigint, out catalog_version bigint
) language plpgsql as $$
declare
  organization bigint;
begin
  select e.site_id, e.catalog_version into enter_as_owner.site_id, enter_as_owner.catalog_version
    from public.enter(p_host, p_slug, p_caller, null, p_schema_version, p_site, p_catalog, p_mode, p_timeout_ms) e;
  organization := (select s.organization_id from public.sites s where s.id = enter_as_owner.site_id);
  if p_caller.organization_id <> organization
     or not (select u.is_superuser from public.users u where u.id = p_caller.id)
    and not exists (select from public.memberships m where m.organization_id = organization and m.user_id = p_caller.id and m.role = 'owner')
  then
    raise sqlstate 'TS403' using message = 'the caller owns no organization with this site';
  end if;
end $$;
