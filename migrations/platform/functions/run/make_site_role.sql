-- Creates a role of a site: the site's own, or that of its guests. Roles belong to the server: another
-- database on it may have made this one. Its rights here are those that this database gives it. Called by
-- public.create_site and public.install_guest.
create or replace function public.make_site_role(p_role text) returns void
language plpgsql as $$
begin
  begin
    execute format('create role %I nologin', p_role);
  exception when duplicate_object or unique_violation then
    null;
  end;
  perform public.join_site_role(p_role, false);
end $$;
