-- Creates a site with its role, its schema and its tables, and with the role and the schema of its guests,
-- and returns it. The site's role owns what the tenant makes, may use the tables that the platform keeps in
-- the schema, makes views in the schema of the guests, and has no rights anywhere else. Refuses (23505) a
-- slug that another site has. Called by src/organizations and
-- dev/restore-site.ts.
create or replace function public.create_site(
  p_organization_id bigint, p_creator_id bigint, p_name text, p_slug text, p_environment text
) returns public.sites
language plpgsql as $$
declare
  site public.sites;
  tenant text;
begin
  insert into public.sites (organization_id, name, slug, environment, created_by)
  values (p_organization_id, p_name, p_slug, p_environment, p_creator_id)
  returning * into site;
  tenant := 'site_' || site.id;
  perform public.make_site_role(tenant);
  execute format('create schema %I', tenant);
  execute format('grant usage, create on schema %1$I to %1$I', tenant);
  execute format('alter default privileges in schema %1$I'
                 ' grant select, insert, update, delete on tables to %1$I', tenant);
  perform public.install_run(tenant);
  perform public.install_guest(site.id);
  while public.migrate_site(site.id) loop
    null;
  end loop;
  select s.* into site from public.sites s where s.id = site.id;
  return site;
end $$;
