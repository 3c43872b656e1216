-- Creates what each site needs to run statements, if it is missing or somebody has changed it: the schema
-- of the guests, and the functions with the text of public.run. If this text is new, public.migrate_site
-- replaces it in one site after the other. Called by migrations/platform/rights.sql.
--
-- Removes what earlier versions created: memberships of the platform's role in roles of sites, and the
-- function `run` of every site. Running statements may still call this function, so it is removed one
-- migration after its replacement was made.
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
