-- Creates the role of a site, and the function that runs its statements. Called by public.create_site and
-- public.prepare_site.
create or replace function public.make_site_role(p_site_id bigint) returns void
language plpgsql as $$
declare
  site constant text := 'site_' || p_site_id;
begin
  perform public.make_role(site);
  execute format('grant tessera_site to %I', site);
  perform public.install_run(site);
  perform public.leave_role(site);
end $$;
