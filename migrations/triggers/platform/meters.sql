-- A trigger that has the schedule measure a new site (public.add_meter).
create or replace trigger sites_add_meter after insert on public.sites
  for each row execute function public.add_meter();
