-- Keeps the time at which each foreign key of a datatable was added, in keys_since: a trigger before a row of
-- _datatables is written. The name of a key is made of its fields. If a new name replaces another one at the
-- same position of the schema, the key was renamed, and keeps its time. Keys that one transaction adds have
-- the same time. A restored datatable keeps its times.
create or replace function tessera.date_keys() returns trigger
language plpgsql as $$
declare
  known pg_catalog.jsonb := new.keys_since;
  former pg_catalog.text[] := '{}';
begin
  if tg_op = 'UPDATE' then
    known := old.keys_since;
    former := tessera.key_names(old.json_schema);
  end if;
  new.keys_since := case when new.is_materialized then coalesce((
    select jsonb_object_agg(k.name, coalesce(
             known -> k.name,
             case when former[k.place] <> all (tessera.key_names(new.json_schema))
                  then known -> former[k.place] end,
             to_jsonb(extract(epoch from now()))))
      from unnest(tessera.key_names(new.json_schema)) with ordinality k (name, place)), '{}') else '{}' end;
  return new;
end $$;
