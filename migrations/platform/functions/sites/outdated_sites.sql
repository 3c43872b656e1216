-- Returns the sites that public.migrate_site has to change: they lack a migration, or their triggers and
-- rights are not the newest. Called by dev/site-migrations.ts, src/organizations and src/watching.
create or replace function public.outdated_sites() returns setof bigint stable
language sql as $$
  select s.id from public.sites s
   where s.schema_version < (select max(m.version) from public.tenant_migrations m)
      or s.sources_hash <> (select public.tenant_sources_hash())
$$;
