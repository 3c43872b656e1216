-- Maintains the row of _deliveries that waits for the next tick of a function's schedule. If the schedule has
-- changed, replaces it by a row that is due at once; without a schedule, there is no row. A trigger of
-- _functions.
create or replace function tessera.keep_schedule() returns trigger
language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    execute format('delete from %I._deliveries d where d.schedule_of = $1', tg_table_schema) using old.id;
  end if;
  if tg_op <> 'DELETE' and new.schedule <> '' then
    execute format('insert into %I._deliveries (functions, schedule_of, due_at)
                    values (array[$1], $1, now())', tg_table_schema) using new.id;
  end if;
  return null;
end $$;
