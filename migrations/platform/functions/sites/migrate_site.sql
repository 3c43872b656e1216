-- Brings the schema of a site one step closer to the newest: renews the functions that run its statements
-- (public.renew_runs), or else applies the next migration (public.tenant_migrations), or else, after the last
-- one, the triggers and rights (public.tenant_sources) if they have changed. Returns whether there was a step
-- to do. The hash is read before what it stands for, so that the site is outdated if a migration replaces
-- that at the same time.
--
-- A step runs with the rights of the platform, and looks up names in the schema of the site. A tenant's
-- function, operator or type in that schema would get these rights. So it refuses (P0001) a schema with such
-- objects; it also refuses a site that does not exist. A conversion has the rights of the site's roles, too,
-- because it changes objects that the site has created. Called by dev/site-migrations.ts and
-- src/organizations.
create or replace function public.migrate_site(p_site_id bigint) returns boolean
language plpgsql as $$
declare
  tenant constant text := 'site_' || p_site_id;
  sources constant text := public.tenant_sources_hash();
  site public.sites;
  step public.tenant_migrations;
  script text;
begin
  select s.* into site from public.sites s where s.id = p_site_id for update;
  if not found then
    raise exception 'there is no site %', p_site_id;
  end if;
  if public.renew_runs(tenant) then
    return true;
  end if;
  select m.* into step from public.tenant_migrations m where m.version = site.schema_version + 1;
  if step.version is null and site.sources_hash = sources then
    return false;
  end if;
  -- The only object of these kinds that the platform creates there is the function of public.install_run,
  -- which earlier versions called `run`.
  if exists (select from public.objects_of(tenant, 'pg_proc') o
              where o.id is distinct from
                    to_regprocedure(format('%I.%I(text[], text[], text)', tenant, 'run_' || tenant))
                and o.id is distinct from to_regprocedure(format('%I.run(text[], text[], text)', tenant)))
     or exists (select from public.objects_of(tenant, 'pg_operator'))
     or exists (select from public.objects_of(tenant, 'pg_type') o join pg_type t on t.oid = o.id
                 where t.typtype not in ('b', 'c'))
  then
    raise exception 'the schema % has functions, operators or types that the service has not made: drop them',
      tenant;
  end if;

  perform set_config('search_path', tenant, true);
  if step.version is not null then
    if public.is_conversion(step.name) then
      perform public.join_site_roles(tenant);
    end if;
    execute step.sql;
    if public.is_conversion(step.name) then
      perform public.leave_site_roles(tenant);
    end if;
    update public.sites s set schema_version = s.schema_version + 1 where s.id = p_site_id;
    return true;
  end if;
  perform public.drop_site_triggers(tenant);
  for script in select t.sql from public.tenant_sources t order by t.place loop
    execute script;
  end loop;
  update public.sites s set sources_hash = sources where s.id = p_site_id;
  return true;
end $$;
