-- Makes the function that runs the statements of a site: the text of public.run, with the rights of the site's role.
-- Nobody may execute it but that role and the platform's.
create or replace function public.install_run(p_site text) returns void
language plpgsql as $$
declare
  body constant text := (select p.prosrc from pg_proc p where p.oid = 'public.run(text[], text[], text)'::regprocedure);
begin
  execute format('drop function if exists %I.run(text[], text[], text)', p_site);
  execute format(
    'create function %1$I.run(p_statements text[], p_values text[], p_large text) returns table (n integer, answer text)
     language plpgsql security definer
     set search_path = %1$I, pg_temp set timezone = ''UTC'' as %2$L', p_site, body);
  execute format('revoke execute on function %I.run(text[], text[], text) from public', p_site);
  execute format('alter function %1$I.run(text[], text[], text) owner to %1$I', p_site);
  -- Only who has its rights may grant in the name of the new owner.
  perform public.join_site_role(p_site, true);
  execute format('grant execute on function %I.run(text[], text[], text) to current_user', p_site);
  perform public.join_site_role(p_site, false);
end $$;
