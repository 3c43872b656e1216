-- Returns whether a table of a site has a trigger that can be deferred. The service makes none: those of
-- foreign keys and of unique keys that are checked late are internal. p_role: the role of the site. Called by
-- public.run_in_site.
create or replace function public.has_deferrable_trigger(p_role text) returns boolean stable
language sql set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from unnest(array[p_role, p_role || '_guest']) schema
     cross join public.objects_of(schema, 'pg_class') o
      join pg_trigger g on g.tgrelid = o.id
     where g.tgdeferrable and not g.tgisinternal)
$$;
