-- Creates the schema of the guests of a site if it does not exist. It is named `site_<id>_guest`, like their
-- role. It holds the views of what guests may see, which the site's role creates and owns. The guests' role
-- may use the schema and execute the function in it that runs its statements, and has no other rights. Called
-- by public.create_site and public.install_runs.
create or replace function public.install_guest(p_site_id bigint) returns void
language plpgsql as $$
declare
  tenant constant text := 'site_' || p_site_id;
  guest constant text := tenant || '_guest';
begin
  execute format('create schema if not exists %I', guest);
  execute format('grant usage, create on schema %I to %I', guest, tenant);
  execute format('grant usage on schema %1$I to %1$I', guest);
  perform public.install_run(guest);
end $$;
