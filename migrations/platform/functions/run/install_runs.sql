-- Makes what the sites lack that this version runs statements with: the schema of their guests, and the
-- functions that run their statements, where these have an older text of public.run. Called by
-- migrations/platform/rights.sql.
--
-- Removes what earlier versions kept: memberships of the platform's role in roles of sites, and functions
-- that had the name `run` in every site. Statements that have begun may still call these, so they go with
-- the migration after the one that has made others in their place.
create or replace function public.install_runs() returns void
language plpgsql as $$
declare
  tenant text;
  runner text;
begin
  for runner in
    select n.nspname from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where p.proname = 'run' and n.nspname ~ '^site_\d+(_guest)?$'
       and p.oid = to_regprocedure(n.nspname || '.run(text[], text[], text)')
       and public.is_run_intact(n.nspname)
  loop
    execute format('drop function %I.run(text[], text[], text)', runner);
  end loop;
  for tenant in
    select distinct 'site_' || s.id from public.sites s, unnest(array['', '_guest']) kind
     where to_regnamespace('site_' || s.id) is not null
       and (not public.is_run_intact('site_' || s.id || kind)
            or exists (select from pg_auth_members m
                        where m.roleid = to_regrole('site_' || s.id || kind)
                          and m.member = current_user::regrole and m.grantor = m.member))
  loop
    perform public.make_site_roles(tenant);
    if to_regnamespace(tenant || '_guest') is null then
      perform public.install_guest(substr(tenant, 6)::bigint);
    end if;
    foreach runner in array array[tenant, tenant || '_guest'] loop
      if not public.is_run_intact(runner) then
        perform public.install_run(runner);
      end if;
    end loop;
    perform public.leave_site_roles(tenant);
  end loop;
end $$;
