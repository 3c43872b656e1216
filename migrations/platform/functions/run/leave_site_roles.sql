-- Ends the memberships that public.join_site_roles or public.make_site_roles has created. Postgres then
-- refuses a statement of the platform that names a tenant's table by mistake, and has fewer memberships to
-- read. p_site: the name of the site's role. Called by public.create_site, public.install_runs,
-- public.migrate_site and public.renew_runs.
create or replace function public.leave_site_roles(p_site text) returns void
language plpgsql as $$
begin
  execute format('revoke %I, %I from current_user', p_site, p_site || '_guest');
end $$;
