-- Makes what the sites lack that this version runs statements with: the schema of their guests, and the
-- function `run` where it has an older text of public.run. Ends the memberships of the platform's role in
-- roles of sites, which earlier versions kept. Called by migrations/platform/rights.sql.
create or replace function public.install_runs() returns void
language plpgsql as $$
declare
  site bigint;
  tenant text;
  runner text;
begin
  for site in
    select s.id from public.sites s
     where to_regnamespace('site_' || s.id) is not null
       and to_regnamespace('site_' || s.id || '_guest') is null
  loop
    perform public.make_site_roles('site_' || site);
    perform public.install_guest(site);
    perform public.leave_site_roles('site_' || site);
  end loop;
  for tenant, runner in
    select 'site_' || s.id, 'site_' || s.id || kind from public.sites s, unnest(array['', '_guest']) kind
     where to_regnamespace('site_' || s.id || kind) is not null
       and not public.is_run_intact('site_' || s.id || kind)
  loop
    perform public.join_site_roles(tenant);
    perform public.install_run(runner);
    perform public.leave_site_roles(tenant);
  end loop;
  for tenant in
    select 'site_' || s.id from public.sites s
     where exists (select from pg_auth_members m
                    where m.roleid in (to_regrole('site_' || s.id), to_regrole('site_' || s.id || '_guest'))
                      and m.member = current_user::regrole and m.grantor = m.member)
  loop
    perform public.leave_site_roles(tenant);
  end loop;
end $$;
