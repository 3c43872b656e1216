-- Raises the catalog version of the sites of the changed rows: a trigger of the tables that catalogs are
-- read from. Statements that were planned with an older version are then refused by public.enter. A version
-- is the time in microseconds since the epoch, so that it never names another catalog after the database was
-- restored to an earlier time.
create or replace function public.touch_catalog() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update public.sites
     set catalog_version = greatest(catalog_version + 1, 1000000 * extract(epoch from clock_timestamp()))
   where id in (select c.site_id from changed c);
  return null;
end $$;
