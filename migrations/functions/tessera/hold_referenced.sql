-- Applies the action of a foreign key to the rows that reference deleted or changed rows: deletes them, sets
-- their fields, or refuses (23503) the change. Replaces a foreign key of Postgres, which is not possible
-- because one of the tables stores documents. A trigger of the referenced table. Arguments:
--   0  the name of the key
--   1  the referenced fields, for messages
--   2  expressions for these fields in a row `o`
--   3  the referenced table
--   4  expressions for the same fields in its row `t`
--   5  the referencing table
--   6  expressions for its fields in its row `_row`
--   7  the name of the referencing table, for messages
--   8  the action of a deletion: 'delete', 'refuse', or the assignments to the referencing fields
create or replace function tessera.hold_referenced() returns trigger
language plpgsql as $$
declare
  key_name constant pg_catalog.text := tg_argv[0];
  field_names constant pg_catalog.text := tg_argv[1];
  old_fields constant pg_catalog.text := tg_argv[2];
  target constant pg_catalog.text := tg_argv[3];
  target_fields constant pg_catalog.text := tg_argv[4];
  referencing constant pg_catalog.text := tg_argv[5];
  referencing_fields constant pg_catalog.text := tg_argv[6];
  referencing_name constant pg_catalog.text := tg_argv[7];
  on_delete constant pg_catalog.text := tg_argv[8];
  kept pg_catalog.text;
begin
  -- A statement that changes no row also fires this trigger. Without this check, tables that reference each
  -- other would fire each other's triggers endlessly.
  if not exists (select from _old) then
    return null;
  end if;
  if tg_op = 'DELETE' and on_delete = 'delete' then
    execute format('delete from %s _row where (%s) in (select %s from _old o)',
                   referencing, referencing_fields, old_fields);
  elsif tg_op = 'DELETE' and on_delete <> 'refuse' then
    execute format('update %s _row set %s where (%s) in (select %s from _old o)',
                   referencing, on_delete, referencing_fields, old_fields);
  else
    execute format(
      'select concat_ws('', '', %1$s) from _old o
        where exists (select from %2$s _row where (%3$s) = (%1$s))
          and not exists (select from %4$s t where (%5$s) = (%1$s)) limit 1',
      old_fields, referencing, referencing_fields, target, target_fields) into kept;
    if kept is not null then
      raise foreign_key_violation using message = 'a record is referenced', constraint = key_name,
        schema = tg_table_schema, table = referencing_name,
        detail = format('Key (%s)=(%s) is still referenced from table "%s".',
                        field_names, kept, referencing_name);
    end if;
  end if;
  return null;
end $$;
