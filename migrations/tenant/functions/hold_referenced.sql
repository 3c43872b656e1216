-- What becomes of rows that reference others when these are deleted, or get another key, where no foreign key of Postgres
-- can say so: a trigger of the referenced table. Its arguments are the name of the key, the names of the referenced fields,
-- expressions for them of a row o, the referenced table, the same expressions of its row t, the referencing table,
-- expressions of its row _row, its name, and what a deletion does to its rows: 'delete', 'refuse', or what is set of them.
-- Fails as a foreign key does.
create or replace function tessera.hold_referenced() returns trigger
language plpgsql as $$
declare
  kept text;
begin
  -- It is called for statements that change nothing, too: what is deleted along would be followed for ever.
  if not exists (select from _old) then
    return null;
  end if;
  if tg_op = 'DELETE' and tg_argv[8] = 'delete' then
    execute format('delete from %s _row where (%s) in (select %s from _old o)', tg_argv[5], tg_argv[6], tg_argv[2]);
  elsif tg_op = 'DELETE' and tg_argv[8] <> 'refuse' then
    execute format('update %s _row set %s where (%s) in (select %s from _old o)', tg_argv[5], tg_argv[8], tg_argv[6], tg_argv[2]);
  else
    execute format('select concat_ws('', '', %1$s) from _old o
                     where exists (select from %2$s _row where (%3$s) = (%1$s)) and not exists (select from %4$s t where (%5$s) = (%1$s)) limit 1',
                   tg_argv[2], tg_argv[5], tg_argv[6], tg_argv[3], tg_argv[4]) into kept;
    if kept is not null then
      raise foreign_key_violation using message = 'a record is referenced', constraint = tg_argv[0], schema = tg_table_schema, table = tg_argv[7],
        detail = format('Key (%s)=(%s) is still referenced from table "%s".', tg_argv[1], kept, tg_argv[7]);
    end if;
  end if;
  return null;
end $$;
