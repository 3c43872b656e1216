-- Makes the roles of a site: its own, and that of its guests, named `site_<id>` and `site_<id>_guest`. The
-- platform's role is a member of both until public.leave_site_roles. Roles belong to the server: another
-- database on it may have made them. Their rights here are those that this database gives them. p_site: the
-- name of the site's role. Called by public.create_site and public.install_runs.
create or replace function public.make_site_roles(p_site text) returns void
language plpgsql as $$
declare
  part text;
begin
  -- Memberships that come with the roles cost nothing. To grant one, Postgres reads all that there are.
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
