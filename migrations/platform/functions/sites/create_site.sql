-- Creates a site with its role, its schema and its tables (p_migrations, in order). The role owns what the tenant makes,
-- may use what the platform keeps in the schema, and has no right anywhere else.
create or replace function public.create_site(
  p_organization bigint, p_caller bigint, p_name text, p_slug text, p_environment text, p_migrations text[]
) returns public.sites language plpgsql as $$
declare
  site public.sites;
  tenant text;
begin
  insert into public.sites (organization_id, name, slug, environment, created_by)
  values (p_organization, p_name, p_slug, p_environment, p_caller)
  returning * into site;
  tenant := 'site_' || site.id;
  -- Roles belong to the server: another database on it may have made this one. Its rights here begin with this schema.
  begin
    execute format('create role %I nologin', tenant);
  exception when duplicate_object or unique_violation then
    null;
  end;
  perform public.join_site_role(tenant, false);
  execute format('create schema %I', tenant);
  execute format('grant usage, create on schema %1$I to %1$I', tenant);
  execute format('alter default privileges in schema %1$I grant select, insert, update, delete on tables to %1$I', tenant);
  perform public.install_run(tenant);
  for version in 1 .. cardinality(p_migrations) loop
    perform public.migrate_site(site.id, version, p_migrations[version]);
  end loop;
  select s.* into site from public.sites s where s.id = site.id;
  return site;
end $$;
