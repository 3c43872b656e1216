-- The terms of a transaction in a site, as src/kernel/db/tenant.ts writes them. site_id and catalog_version:
-- for which site, and which version of its catalog, the statements were planned; null: any. mode: 'read';
-- 'brief' for a read that is entered and run in one call; 'write', 'add' or 'invoke'
-- (public.refuse_exceeded); or 'schema' for changes of the schema. timeout_ms: the time of one statement.
create type public.visit as (
  site_id bigint,
  catalog_version bigint,
  mode text,
  timeout_ms integer
);
