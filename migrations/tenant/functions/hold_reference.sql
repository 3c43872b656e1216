-- Holds that what rows reference is there, where no foreign key of Postgres can: a trigger of the referencing table. Its
-- arguments are the name of the key, the names of its fields, expressions for them of a row n, a condition that all of
-- them have a value, the referenced table, expressions of its row t, its name, and the lock that keeps its rows from being
-- deleted meanwhile. Fails as a foreign key does.
create or replace function tessera.hold_reference() returns trigger
language plpgsql as $$
declare
  missing text;
begin
  execute format('select from %1$s t where (%2$s) in (select %3$s from _new n where %4$s) order by %2$s for %5$s of t',
                 tg_argv[4], tg_argv[5], tg_argv[2], tg_argv[3], tg_argv[7]);
  -- A statement of its own sees what was committed while that one waited.
  execute format('select concat_ws('', '', %1$s) from _new n where %2$s and not exists (select from %3$s t where (%4$s) = (%1$s)) limit 1',
                 tg_argv[2], tg_argv[3], tg_argv[4], tg_argv[5]) into missing;
  if missing is not null then
    raise foreign_key_violation using message = 'a record references nothing', constraint = tg_argv[0], schema = tg_table_schema, table = tg_table_name,
      detail = format('Key (%s)=(%s) is not present in table "%s".', tg_argv[1], missing, tg_argv[6]);
  end if;
  return null;
end $$;
