-- Notes in public.history_sweeps that a datatable keeps the versions of its records for a number of days, so
-- that one query finds the sites whose histories are to be swept. After a change of the schema, the sweep is
-- due at once. A trigger of _datatables.
create or replace function public.note_history() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  site constant bigint := substr(tg_table_schema, length('site_') + 1)::bigint;
begin
  if tg_op = 'DELETE' then
    delete from public.history_sweeps h where h.site_id = site and h.datatable_id = old.id;
  elsif new.is_materialized and new.json_schema #> '{history,days}' is not null then
    insert into public.history_sweeps (site_id, datatable_id, due_at) values (site, new.id, now())
      on conflict on constraint history_sweeps_pkey do update set due_at = excluded.due_at;
  else
    delete from public.history_sweeps h where h.site_id = site and h.datatable_id = new.id;
  end if;
  return null;
end $$;
