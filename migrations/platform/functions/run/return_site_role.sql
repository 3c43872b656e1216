-- Ends what public.lend_site_role has begun. A session that has the site's role already keeps it until it ends.
create or replace function public.return_site_role(p_site bigint, p_role text) returns void
language plpgsql as $$
begin
  execute format('revoke %I from %I', 'site_' || p_site, p_role);
end $$;
