-- Fired by every tenant's catalog tables, so that no statement can change them without moving the site's version.
create or replace function public.touch_catalog() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update public.sites set catalog_version = catalog_version + 1 where id = substr(tg_table_schema, length('site_') + 1)::bigint;
  return null;
end $$;
