-- Refuses (23503) written rows that reference a row that does not exist. Replaces a foreign key of Postgres,
-- which is not possible because one of the tables stores documents. A trigger of the referencing table.
-- Arguments:
--   0 to 6  the members of tessera.reference
--   7       the lock that keeps the referenced rows from being deleted until the end of the transaction
create or replace function tessera.hold_reference() returns trigger
language plpgsql as $$
declare
  reference constant tessera.reference :=
    row(tg_argv[0], tg_argv[1], tg_argv[2], tg_argv[3], tg_argv[4], tg_argv[5], tg_argv[6]);
  missing pg_catalog.text;
begin
  execute format(
    'select from %1$s t where (%2$s) in (select %3$s from _new n where %4$s) order by %2$s for %5$s of t',
    reference.target_table, reference.target_fields, reference.fields, reference.has_values, tg_argv[7]);
  -- A separate statement sees what was committed while the previous one waited for the locks.
  execute format(
    'select concat_ws('', '', %1$s) from _new n
      where %2$s and not exists (select from %3$s t where (%4$s) = (%1$s)) limit 1',
    reference.fields, reference.has_values, reference.target_table, reference.target_fields) into missing;
  if missing is not null then
    raise foreign_key_violation using message = 'a record references nothing',
      constraint = reference.key_name, schema = tg_table_schema, table = tg_table_name,
      detail = format('Key (%s)=(%s) is not present in table "%s".',
                      reference.field_names, missing, reference.target_name);
  end if;
  return null;
end $$;
