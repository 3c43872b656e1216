-- Creates the function that runs the statements of a site, or of its guests, in their schema. It has the text
-- of public.run, and the rights of the site's role, or of its guests' role. Only this role and the platform's
-- role may execute it. p_site: the name of the schema and of the role. The platform's role must be a member
-- of this role, with its rights (public.join_site_roles), to make it the owner of the function and to grant
-- in its name. Called by public.create_site, public.install_guest, public.install_runs and public.renew_runs.
--
-- Each site's function has its own name, `run_<schema>`: to find a function, Postgres reads all functions of
-- that name, even if the schema is given.
create or replace function public.install_run(p_site text) returns void
language plpgsql as $$
declare
  body constant text := (
    select p.prosrc from pg_proc p where p.oid = 'public.run(text[], text[], text)'::regprocedure);
  runner constant text := format('%I.%I(text[], text[], text)', p_site, 'run_' || p_site);
  -- The owner of a function must have the right to create objects in its schema. The guests' role has not.
  lends_create constant boolean := not has_schema_privilege(p_site, p_site, 'create');
begin
  execute format('drop function if exists %s', runner);
  execute format(
    'create function %1$I.%2$I(p_statements text[], p_values text[], p_large text)
     returns table (n integer, answer text) language plpgsql security definer
     set search_path = %1$I, pg_temp set timezone = ''UTC'' as %3$L', p_site, 'run_' || p_site, body);
  execute format('revoke execute on function %s from public', runner);
  if lends_create then
    execute format('grant create on schema %1$I to %1$I', p_site);
  end if;
  execute format('alter function %s owner to %I', runner, p_site);
  if lends_create then
    execute format('revoke create on schema %1$I from %1$I', p_site);
  end if;
  execute format('grant execute on function %s to current_user', runner);
end $$;
