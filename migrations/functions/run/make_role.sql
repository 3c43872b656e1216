-- Creates a role without a sign-in, of which the platform's role is a member until public.leave_role. Roles
-- belong to the server, so another database on it may already have created it. Its rights here are those that
-- this database gives it. Called by public.erase_site, public.make_site_role and migrations/rights.sql.
create or replace function public.make_role(p_role text) returns void
language plpgsql as $$
begin
  -- A membership that is created with the role costs nothing. To grant one later, Postgres reads all
  -- memberships.
  if current_setting('server_version_num')::integer >= 160000 then
    perform set_config('createrole_self_grant', 'set, inherit', true);
  end if;
  begin
    execute format('create role %I nologin', p_role);
  exception when duplicate_object or unique_violation then
    null;
  end;
  if not pg_has_role(current_user, p_role, 'usage') then
    -- Before version 16 of Postgres, a membership has no such options.
    execute format('grant %I to current_user %s', p_role,
                   case when current_setting('server_version_num')::integer >= 160000
                        then 'with set true, inherit true' else '' end);
  end if;
end $$;
