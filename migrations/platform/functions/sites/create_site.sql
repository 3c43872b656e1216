-- Creates a site with its role, its schema and its tables, and with the role and the schema of its guests,
-- and returns it. The site's role owns what the tenant creates, may use the tables of the platform in the
-- schema, may create views in the schema of the guests, and has no other rights. Refuses (23505) a slug that
-- another site has. Called by src/organizations and dev/restore-site.ts.
--
-- The schema is new, so the function does not search it, and skips conversions: the time does not grow with
-- the number of sites. A migration may replace the scripts meanwhile, so one query reads them all. The hash
-- is read before, so that the site is outdated if they change.
create or replace function public.create_site(
  p_organization_id bigint, p_creator_id bigint, p_name text, p_slug text, p_environment text
) returns public.sites
language plpgsql as $$
declare
  sources constant text := public.tenant_sources_hash();
  site public.sites;
  tenant text;
  script record;
  newest integer := 0;
begin
  insert into public.sites (organization_id, name, slug, environment, created_by)
  values (p_organization_id, p_name, p_slug, p_environment, p_creator_id)
  returning * into site;
  tenant := 'site_' || site.id;
  perform public.make_site_roles(tenant);
  execute format('create schema %I', tenant);
  execute format('grant usage, create on schema %1$I to %1$I', tenant);
  execute format('alter default privileges in schema %1$I'
                 ' grant select, insert, update, delete on tables to %1$I', tenant);
  perform public.install_run(tenant);
  perform public.install_guest(site.id);
  perform public.leave_site_roles(tenant);
  perform set_config('search_path', tenant, true);
  for script in
    select 1 as part, m.version as place, m.sql, public.is_conversion(m.name) as is_skipped
      from public.tenant_migrations m
    union all
    select 2, t.place, t.sql, false from public.tenant_sources t
    order by part, place
  loop
    if script.part = 1 then
      newest := script.place;
    end if;
    if not script.is_skipped then
      execute script.sql;
    end if;
  end loop;
  update public.sites s set schema_version = newest, sources_hash = sources where s.id = site.id
  returning * into site;
  return site;
end $$;
