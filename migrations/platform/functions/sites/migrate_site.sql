-- Applies the tenant migration number p_version to a site that has had all before it; false when it has had this one too.
create or replace function public.migrate_site(p_site bigint, p_version integer, p_sql text) returns boolean
language plpgsql as $$
declare
  present integer := (select s.schema_version from public.sites s where s.id = p_site for update);
begin
  if present >= p_version then
    return false;
  end if;
  if present is distinct from p_version - 1 then
    raise exception 'site % has schema version %, so migration % cannot be next', p_site, present, p_version;
  end if;
  perform set_config('search_path', 'site_' || p_site, true);
  execute p_sql;
  update public.sites set schema_version = p_version where id = p_site;
  return true;
end $$;
