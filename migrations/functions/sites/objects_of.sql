-- Returns the objects of one catalog of Postgres, for example pg_class, in a schema; none if there is no such
-- schema. Indexes and the types of tables belong to their tables and are left out. Unlike the catalogs
-- themselves, pg_depend has an index that finds them by their schema, however many sites there are. Called by
-- public.erase_site, public.has_deferrable_trigger and public.require_transfer_room.
create or replace function public.objects_of(p_schema text, p_catalog regclass) returns table (id oid) stable
language sql set search_path = pg_catalog, pg_temp rows 20 as $$
  select d.objid from pg_depend d
   where d.refclassid = 'pg_namespace'::regclass and d.refobjid = to_regnamespace(quote_ident(p_schema))
     and d.classid = p_catalog
$$;
