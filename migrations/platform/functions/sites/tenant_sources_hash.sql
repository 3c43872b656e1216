-- Returns a hash of the triggers and rights that every site has (public.tenant_sources), and of the function
-- that runs its statements (public.run). Called by public.create_site, public.is_run_intact,
-- public.migrate_site and public.outdated_sites.
create or replace function public.tenant_sources_hash() returns text stable
language sql as $$
  select md5((select p.prosrc from pg_proc p where p.oid = 'public.run(text[], text[], text)'::regprocedure)
             || string_agg(s.sql, '' order by s.place))
    from public.tenant_sources s
$$;
