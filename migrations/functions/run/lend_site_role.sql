-- Makes the role that changes large tables (p_role) a member of the role of a site, until
-- public.return_site_role ends that. If nobody is signed in with p_role, ends the memberships that an
-- interrupted change has left. Called by src/kernel/db.
create or replace function public.lend_site_role(p_site_id bigint, p_role text) returns void
language plpgsql as $$
declare
  lent text;
begin
  if not exists (select from pg_stat_activity a where a.usename = p_role) then
    for lent in
      select m.roleid::regrole::text from pg_auth_members m where m.member = quote_ident(p_role)::regrole
    loop
      execute format('revoke %s from %I', lent, p_role);
    end loop;
  end if;
  if current_setting('server_version_num')::integer >= 160000 then
    execute format('grant %I to %I with set true, inherit false', 'site_' || p_site_id, p_role);
  else
    execute format('grant %I to %I', 'site_' || p_site_id, p_role);
  end if;
end $$;
