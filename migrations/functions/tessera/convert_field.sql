-- Fills the new column of a field whose type is being changed, in a record that is written meanwhile: a
-- trigger of a large table, until the change is in force. Refuses (TS438) a new value that does not fit the
-- new type, or that would be another one if it were converted back. The column of the error is the field; its
-- detail has the new type and the value. Arguments:
--   0  the column
--   1  the new column
--   2  a condition: a value `v` can be converted
--   3  a condition: converted back, it is the same
--   4  an expression for the converted value
--   5  the name of the new type
create or replace function tessera.convert_field() returns trigger
language plpgsql as $$
declare
  fits boolean;
  converted pg_catalog.jsonb;
  shown pg_catalog.text;
  is_new boolean := true;
begin
  execute format(
    'select v is null or case when %2$s then %3$s else false end,
            case when v is not null and (%2$s) then to_jsonb(%4$s) end, v::text
       from (select ($1).%1$I as v offset 0) _', tg_argv[0], tg_argv[2], tg_argv[3], tg_argv[4])
    into fits, converted, shown using new;
  if not fits and tg_op = 'UPDATE' then
    execute format('select ($1).%1$I is distinct from ($2).%1$I', tg_argv[0]) into is_new using new, old;
  end if;
  if not fits and is_new then
    raise sqlstate 'TS438' using message = 'the value does not fit the new type', column = tg_argv[0],
      table = tg_table_name, detail = json_build_object('type', tg_argv[5], 'value', shown)::text;
  end if;
  new := jsonb_populate_record(new, jsonb_build_object(tg_argv[1], converted));
  return new;
end $$;
