-- Fails as a foreign key does if any row of a table references nothing. The parameters are arguments of
-- tessera.hold_reference, which holds it from then on, and the table.
create or replace function tessera.check_reference(
  p_key text, p_table regclass, p_fields text, p_own text, p_given text, p_target text, p_target_own text, p_target_name text
) returns void
language plpgsql as $$
declare
  missing text;
begin
  execute format('select concat_ws('', '', %1$s) from %2$s n where %3$s and not exists (select from %4$s t where (%5$s) = (%1$s)) limit 1',
                 p_own, p_table, p_given, p_target, p_target_own) into missing;
  if missing is not null then
    raise foreign_key_violation using message = 'a record references nothing', constraint = p_key,
      detail = format('Key (%s)=(%s) is not present in table "%s".', p_fields, missing, p_target_name);
  end if;
end $$;
