-- Creates the function `run` in the schema of a site, or in that of its guests: the text of public.run,
-- executed with the rights of the site's role, or of its guests' role. Only this role and the platform's
-- role may execute it. p_site: the name of the schema, which is also that of the role. Called by
-- public.create_site, public.install_guest and public.install_runs.
create or replace function public.install_run(p_site text) returns void
language plpgsql as $$
declare
  body constant text := (
    select p.prosrc from pg_proc p where p.oid = 'public.run(text[], text[], text)'::regprocedure);
  -- The owner of a function must have the right to make one in its schema. The guests' role has not.
  lends_create constant boolean := not has_schema_privilege(p_site, p_site, 'create');
begin
  execute format('drop function if exists %I.run(text[], text[], text)', p_site);
  execute format(
    'create function %1$I.run(p_statements text[], p_values text[], p_large text)
     returns table (n integer, answer text) language plpgsql security definer
     set search_path = %1$I, pg_temp set timezone = ''UTC'' as %2$L', p_site, body);
  execute format('revoke execute on function %I.run(text[], text[], text) from public', p_site);
  -- Only a member of the new owner may give it the function, and only one with its rights may grant in its
  -- name.
  perform public.join_site_role(p_site, true);
  if lends_create then
    execute format('grant create on schema %1$I to %1$I', p_site);
  end if;
  execute format('alter function %1$I.run(text[], text[], text) owner to %1$I', p_site);
  if lends_create then
    execute format('revoke create on schema %1$I from %1$I', p_site);
  end if;
  execute format('grant execute on function %I.run(text[], text[], text) to current_user', p_site);
  perform public.join_site_role(p_site, false);
end $$;
