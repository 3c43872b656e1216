-- Returns the search path of the statements of a site. The tables that the service keeps come first: a
-- tenant's table of the same name is never found. Statements of guests name the schema of everything. p_role:
-- the role. Called by public.install_run and public.is_run_intact.
create or replace function public.path_of_run(p_role text) returns text immutable parallel safe
language sql as $$
  select case p_role when 'tessera_guest' then 'pg_catalog' else 'tenant, ' || p_role end || ', pg_temp'
$$;
