-- Maintains the row of _deliveries that waits for the next tick of a function's schedule. If the schedule has
-- changed, replaces it by a row that is due at once; without a schedule, there is no row. A trigger of
-- _functions.
create or replace function public.keep_schedule() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op <> 'INSERT' then
    delete from tenant._deliveries d where d.site_id = old.site_id and d.schedule_of = old.id;
  end if;
  if tg_op <> 'DELETE' and new.schedule <> '' then
    insert into tenant._deliveries (site_id, functions, schedule_of, due_at)
    values (new.site_id, array[new.id], new.id, now());
  end if;
  return null;
end $$;
