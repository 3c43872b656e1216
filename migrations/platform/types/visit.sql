-- The terms of a transaction in a site, as src/db/tenant.ts writes them. schema_version: how many tenant
-- migrations the site must have. site_id and catalog_version: the site and the version of its catalog that
-- the statements were planned for; null: any. mode: 'read'; 'brief' for a read that enters the site and runs
-- in one call; 'write', 'add' or 'invoke' (public.refuse_exceeded); or 'schema' for changes of the schema.
-- timeout_ms: the timeout of each statement.
create type public.visit as (
  schema_version integer,
  site_id bigint,
  catalog_version bigint,
  mode text,
  timeout_ms integer
);
