-- Ends the membership that public.make_role has created. Postgres then refuses a statement of the platform
-- that names a tenant's table by mistake, and has fewer memberships to read. Called by
-- public.erase_site, public.make_site_role and migrations/rights.sql.
create or replace function public.leave_role(p_role text) returns void
language plpgsql as $$
begin
  execute format('revoke %I from current_user', p_role);
end $$;
