-- Applies the tenant migration number p_version to a site that has had all before it; false when it has had this one too.
--
-- A migration runs with the rights of the platform and names what is in the site's schema. A function, operator or type of
-- the site's own that fits a call better than the one that is meant would run with these rights: a site that has one is
-- refused. The service itself never makes any there but the function `run`.
create or replace function public.migrate_site(p_site bigint, p_version integer, p_sql text) returns boolean
language plpgsql as $$
declare
  tenant constant text := 'site_' || p_site;
  present integer := (select s.schema_version from public.sites s where s.id = p_site for update);
begin
  if present >= p_version then
    return false;
  end if;
  if present is distinct from p_version - 1 then
    raise exception 'site % has schema version %, so migration % cannot be next', p_site, present, p_version;
  end if;
  if exists (select from pg_proc p where p.pronamespace = to_regnamespace(tenant)
                and p.oid is distinct from to_regprocedure(format('%I.run(text[], text[], text)', tenant)))
     or exists (select from pg_operator o where o.oprnamespace = to_regnamespace(tenant))
     or exists (select from pg_type t where t.typnamespace = to_regnamespace(tenant) and t.typtype not in ('b', 'c')) then
    raise exception 'the schema % has functions, operators or types that the service has not made: drop them first', tenant;
  end if;
  perform set_config('search_path', tenant, true);
  execute p_sql;
  update public.sites set schema_version = p_version where id = p_site;
  return true;
end $$;
