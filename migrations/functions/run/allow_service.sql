-- Gives the login roles of the service the rights that they need, and no others. p_service: the role that
-- runs statements by public.run, public.run_in_site and public.run_in_part, and enters sites. It gets a
-- statement timeout for statements without their own limit, and for reads in one call
-- (src/kernel/db/one-call.ts). p_schema: the role that changes large tables, which gets the role of a site
-- by public.lend_site_role; null: there is none. Called by dev/migrations.ts.
create or replace function public.allow_service(p_service text, p_schema text) returns void
language plpgsql as $$
declare
  allowed regprocedure;
begin
  execute format('grant usage on schema public to %I', p_service);
  for allowed in
    select p.oid from pg_proc p
     where p.pronamespace = 'public'::regnamespace
       and p.proname in
           ('run', 'run_in_site', 'run_in_part', 'enter', 'enter_as_guest', 'enter_as_owner',
            'enter_with_key', 'enter_as_service', 'enter_replica', 'enter_viewing')
  loop
    execute format('grant execute on function %s to %I', allowed, p_service);
  end loop;
  execute format('alter role %I in database %I set statement_timeout = %L',
                 p_service, current_database(), '5s');
  execute format('alter role %I in database %I set search_path = %L', p_service, current_database(), '');
  if p_schema is not null then
    execute format('alter role %I in database %I set search_path = %L', p_schema, current_database(), '');
  end if;
end $$;
