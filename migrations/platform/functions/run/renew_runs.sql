-- Gives the functions that run the statements of a site and of its guests the newest text of public.run, if
-- they have an earlier one. Returns whether one of them had. p_site: the name of the site's role. Called by
-- public.migrate_site.
create or replace function public.renew_runs(p_site text) returns boolean
language plpgsql as $$
declare
  newest constant text := (
    select p.prosrc from pg_proc p where p.oid = 'public.run(text[], text[], text)'::regprocedure);
  outdated constant text[] := array(
    select n.nspname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname in (p_site, p_site || '_guest') and p.proname = 'run_' || n.nspname
       and p.prosrc <> newest);
  runner text;
begin
  if outdated = '{}' then
    return false;
  end if;
  perform public.join_site_roles(p_site);
  foreach runner in array outdated loop
    perform public.install_run(runner);
  end loop;
  perform public.leave_site_roles(p_site);
  return true;
end $$;
