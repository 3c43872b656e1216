-- Keeps the row of _deliveries that waits for the next tick of a function's schedule: a new one, which is due
-- at once, when the schedule has changed; none without a schedule. A trigger of _functions.
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
