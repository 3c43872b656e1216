-- Ends the membership of the role that changes large tables (p_role) in the role of a site. A session that
-- has already switched to the site's role keeps it until the session ends. Called by src/kernel/db.
create or replace function public.return_site_role(p_site_id bigint, p_role text) returns void
language plpgsql as $$
begin
  execute format('revoke %I from %I', 'site_' || p_site_id, p_role);
end $$;
