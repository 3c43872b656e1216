-- Raises the catalog version of a site: a trigger of the tables that its catalog is read from. Statements
-- that were planned with an older version are then refused by public.enter.
create or replace function public.touch_catalog() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update public.sites set catalog_version = catalog_version + 1
   where id = substr(tg_table_schema, length('site_') + 1)::bigint;
  return null;
end $$;
