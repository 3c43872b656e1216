-- Brings the schema of a site one step closer to the newest: applies the next migration
-- (public.tenant_migrations), or, if it has had all, the triggers and rights (public.tenant_sources) where
-- they changed. Returns whether there was a step to do.
--
-- A step runs with the rights of the platform, and its names are looked up in the schema of the site. A
-- function, an operator or a type that the tenant made there could be called with these rights. Refuses
-- (P0001) a schema with such objects, and a site that does not exist. Called by public.create_site,
-- dev/site-migrations.ts and src/organizations.
create or replace function public.migrate_site(p_site_id bigint) returns boolean
language plpgsql as $$
declare
  tenant constant text := 'site_' || p_site_id;
  site public.sites;
  script text;
begin
  select s.* into site from public.sites s where s.id = p_site_id for update;
  if not found then
    raise exception 'there is no site %', p_site_id;
  end if;
  select m.sql into script from public.tenant_migrations m where m.version = site.schema_version + 1;
  if script is null and site.sources_hash = public.tenant_sources_hash() then
    return false;
  end if;
  -- The platform itself makes nothing of these kinds there but the function `run`.
  if exists (select from pg_proc p where p.pronamespace = to_regnamespace(tenant)
                and p.oid is distinct from to_regprocedure(format('%I.run(text[], text[], text)', tenant)))
     or exists (select from pg_operator o where o.oprnamespace = to_regnamespace(tenant))
     or exists (select from pg_type t
                 where t.typnamespace = to_regnamespace(tenant) and t.typtype not in ('b', 'c'))
  then
    raise exception 'the schema % has functions, operators or types that the service has not made: drop them',
      tenant;
  end if;

  perform set_config('search_path', tenant, true);
  if script is not null then
    execute script;
    update public.sites s set schema_version = s.schema_version + 1 where s.id = p_site_id;
    return true;
  end if;
  perform public.drop_site_triggers(tenant);
  for script in select t.sql from public.tenant_sources t order by t.place loop
    execute script;
  end loop;
  update public.sites s set sources_hash = public.tenant_sources_hash() where s.id = p_site_id;
  return true;
end $$;
