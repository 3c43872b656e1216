-- Creates the roles of a site: its own, and that of its guests, named `site_<id>` and `site_<id>_guest`. The
-- platform's role is a member of both until public.leave_site_roles. Roles belong to the server, so another
-- database on it may already have created them. Their rights here are those that this database gives them.
-- p_site: the name of the site's role. Called by public.create_site and public.install_runs.
create or replace function public.make_site_roles(p_site text) returns void
language plpgsql as $$
declare
  part text;
begin
  -- Memberships that are created with the roles cost nothing. To grant one later, Postgres reads all
  -- memberships.
  if current_setting('server_version_num')::integer >= 160000 then
    perform set_config('createrole_self_grant', 'set, inherit', true);
  end if;
  foreach part in array array[p_site, p_site || '_guest'] loop
    begin
      execute format('create role %I nologin', part);
    exception when duplicate_object or unique_violation then
      null;
    end;
  end loop;
  perform public.join_site_roles(p_site);
end $$;
