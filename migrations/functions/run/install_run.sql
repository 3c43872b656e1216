-- Creates the function in the schema `runs` that runs the statements of a site, or of the guests of all
-- sites: it calls tessera.run with the rights of their role, which owns it. Only this role and the platform's
-- role may execute it, and no other role may use the schema `runs`. p_role: the name of the role, of which
-- the platform's role must be a member (public.make_role). Called by public.make_site_role and
-- migrations/rights.sql.
create or replace function public.install_run(p_role text) returns void
language plpgsql as $$
declare
  runner constant text := format('runs.%I(text[], text[], text)', p_role);
begin
  -- The owner of a function must have the right to create objects in its schema. Only one transaction at a
  -- time can change the rights to a schema. No site can lock this table.
  lock table public.schema_migrations in share row exclusive mode;
  execute format('grant create on schema runs to %I', p_role);
  execute format(
    'create or replace function runs.%I(p_statements text[], p_values text[], p_large text)
     returns table (n integer, answer text) language sql security definer
     set search_path = %s set timezone = ''UTC'' as %L',
    p_role, public.path_of_run(p_role), public.text_of_run());
  execute format('revoke execute on function %s from public', runner);
  execute format('alter function %s owner to %I', runner, p_role);
  execute format('grant execute on function %s to current_user', runner);
  execute format('revoke create on schema runs from %I', p_role);
end $$;
