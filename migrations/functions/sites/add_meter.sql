-- Adds the row that makes the schedule measure a new site, within its first hour. A trigger of public.sites.
create or replace function public.add_meter() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into public.site_meters (site_id, due_at)
  values (new.id, now() + make_interval(mins => 10 + floor(50 * random())::integer));
  return null;
end $$;
