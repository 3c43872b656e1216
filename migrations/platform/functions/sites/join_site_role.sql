-- Makes the platform's role a member of a site's role, which it needs to give it what it owns. Without p_inherit it has
-- none of the site's rights: a statement of the platform that names a site's table by mistake is refused.
create or replace function public.join_site_role(p_site text, p_inherit boolean) returns void
language plpgsql as $$
begin
  if current_setting('server_version_num')::integer >= 160000 then
    execute format('grant %I to current_user with set true, inherit %s', p_site, case when p_inherit then 'true' else 'false' end);
  else
    execute format('grant %I to current_user', p_site);
  end if;
end $$;
