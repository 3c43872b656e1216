-- Creates a site with its role, its schema and its tables, and with the role and the schema of its guests,
-- and returns it. The site's role owns what the tenant creates, may use the tables of the platform in the
-- schema, may create views in the schema of the guests, and has no other rights. Refuses (23505) a slug that
-- another site has. Called by src/organizations and dev/restore-site.ts.
--
-- The schema is new, so the function does not search it, and skips conversions: the time does not grow with
-- the number of sites.
create or replace function public.create_site(
  p_organization_id bigint, p_creator_id bigint, p_name text, p_slug text, p_environment text
) returns public.sites
language plpgsql as $$
declare
  site public.sites;
  tenant text;
  script text;
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
    select m.sql from public.tenant_migrations m where not public.is_conversion(m.name) order by m.version
  loop
    execute script;
  end loop;
  for script in select t.sql from public.tenant_sources t order by t.place loop
    execute script;
  end loop;
  update public.sites s
     set schema_version = (select max(m.version) from public.tenant_migrations m),
         sources_hash = public.tenant_sources_hash()
   where s.id = site.id
  returning * into site;
  return site;
end $$;
