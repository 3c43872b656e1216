-- Makes anew the functions that run the statements of sites, where public.run is not what it was when they were made.
create or replace function public.install_runs() returns void
language plpgsql as $$
declare
  site text;
begin
  for site in select 'site_' || s.id from public.sites s where to_regnamespace('site_' || s.id) is not null and not public.is_run_intact('site_' || s.id) loop
    perform public.install_run(site);
  end loop;
end $$;
