-- Makes what the sites lack that this version runs statements with: the schema of their guests, and the
-- function `run` where it has an older text of public.run. Called by migrations/platform/rights.sql.
create or replace function public.install_runs() returns void
language plpgsql as $$
declare
  site bigint;
  runner text;
begin
  for site in
    select s.id from public.sites s
     where to_regnamespace('site_' || s.id) is not null
       and to_regnamespace('site_' || s.id || '_guest') is null
  loop
    perform public.install_guest(site);
  end loop;
  for runner in
    select 'site_' || s.id || kind from public.sites s, unnest(array['', '_guest']) kind
     where to_regnamespace('site_' || s.id || kind) is not null
       and not public.is_run_intact('site_' || s.id || kind)
  loop
    perform public.install_run(runner);
  end loop;
end $$;
