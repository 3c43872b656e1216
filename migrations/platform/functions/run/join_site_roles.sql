-- Makes the platform's role a member of both roles of a site, with their rights: only a member can give them
-- objects and change what they own. p_site: the name of the site's role. public.leave_site_roles ends it in
-- the same transaction. Called by public.make_site_roles, public.migrate_site and public.renew_runs.
create or replace function public.join_site_roles(p_site text) returns void
language plpgsql as $$
declare
  part text;
begin
  foreach part in array array[p_site, p_site || '_guest'] loop
    if not pg_has_role(current_user, part, 'usage') then
      -- Before version 16 of Postgres, a membership has no such options.
      execute format('grant %I to current_user %s', part,
                     case when current_setting('server_version_num')::integer >= 160000
                          then 'with set true, inherit true' else '' end);
    end if;
  end loop;
end $$;
