-- Refuses (23503) a table in which a row references a row that does not exist, with the message of a foreign
-- key. It checks the rows that already exist when the triggers of tessera.hold_reference are created. Called
-- by src/data.
create or replace function tessera.check_reference(p_table regclass, p_reference tessera.reference)
returns void
language plpgsql as $$
declare
  missing pg_catalog.text;
begin
  execute format(
    'select concat_ws('', '', %1$s) from %2$s n
      where %3$s and not exists (select from %4$s t where (%5$s) = (%1$s)) limit 1',
    p_reference.fields, p_table, p_reference.has_values, p_reference.target_table, p_reference.target_fields)
    into missing;
  if missing is not null then
    raise foreign_key_violation using message = 'a record references nothing',
      constraint = p_reference.key_name,
      detail = format('Key (%s)=(%s) is not present in table "%s".',
                      p_reference.field_names, missing, p_reference.target_name);
  end if;
end $$;
