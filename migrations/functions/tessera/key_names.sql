-- Returns the names of the foreign keys of a table schema, in the order of the schema. The name of a key is
-- the names of its fields, separated by commas. Called by tessera.date_keys.
create or replace function tessera.key_names(p_schema json) returns text[] immutable parallel safe
language sql as $$
  select coalesce(array_agg(
           (select string_agg(f.name, ',' order by f.place)
              from json_array_elements_text(k.key -> 'fields') with ordinality f (name, place))
           order by k.place), '{}')
    from json_array_elements(p_schema -> 'foreignKeys') with ordinality k (key, place)
$$;
