-- Creates the platform's role a member of a role of a site, which it must be to give objects to that role.
-- With p_inherit it has that role's rights, too; without, a statement of the platform that names a tenant's
-- table by mistake is refused. Before version 16 a membership has no such option, and the membership itself
-- begins and ends. Called by public.make_site_role and public.install_run.
create or replace function public.join_site_role(p_site text, p_inherit boolean) returns void
language plpgsql as $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    execute format('grant %I to current_user with set true, inherit %s', p_site,
                   case when p_inherit then 'true' else 'false' end);
  elsif p_inherit then
    execute format('grant %I to current_user', p_site);
  else
    execute format('revoke %I from current_user', p_site);
  end if;
end $$;
