-- Gives the two login roles of the service what they need, and nothing else. p_service runs statements by two functions;
-- one that has no limit of its own ends after the time that is set here. p_schema (null: there is none) may do nothing
-- but connect: a site's role is lent to it for as long as it changes a large table there (public.lend_site_role).
create or replace function public.allow_service(p_service text, p_schema text) returns void
language plpgsql as $$
begin
  execute format('grant usage on schema public to %I', p_service);
  execute format('grant execute on function public.run(text[], text[], text), public.run_in_site(text[], text[], text) to %I', p_service);
  execute format('alter role %I in database %I set statement_timeout = %L', p_service, current_database(), '30s');
  execute format('alter role %I in database %I set search_path = %L', p_service, current_database(), '');
  if p_schema is not null then
    execute format('alter role %I in database %I set search_path = %L', p_schema, current_database(), '');
  end if;
end $$;
