-- Notes when each foreign key of a datatable came: a trigger before a row of _datatables is written. Keys are told apart by
-- their fields; one that has other fields than before, and stands where it stood, is the same one renamed. Keys of one
-- transaction came at once.
create or replace function tessera.date_keys() returns trigger
language plpgsql as $$
declare
  -- Those of a datatable that is restored come with it.
  known jsonb := new.keys_since;
  former text[] := '{}';
begin
  if tg_op = 'UPDATE' then
    known := old.keys_since;
    former := tessera.key_names(old.json_schema);
  end if;
  new.keys_since := case when new.is_materialized then coalesce((
    select jsonb_object_agg(k.name, coalesce(
             known -> k.name,
             case when former[k.place] <> all (tessera.key_names(new.json_schema)) then known -> former[k.place] end,
             to_jsonb(extract(epoch from now()))))
      from unnest(tessera.key_names(new.json_schema)) with ordinality k (name, place)), '{}') else '{}' end;
  return new;
end $$;
