-- Adds the row by which the schedule measures a new site. A trigger of public.sites.
create or replace function public.add_meter() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.site_meters (site_id) values (new.id);
  return null;
end $$;
