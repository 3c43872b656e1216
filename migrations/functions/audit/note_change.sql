-- Writes a change of a row to the audit: a trigger of every table whose changes are audited. Arguments:
--   0  the kind of the object, for example 'membership'
--   1  the column with its id
--   2  the column with its name; '' if it has none
--   3  columns whose values may be shown, separated by commas
--   4  columns whose changes are not written, separated by commas
-- The audit stores no other values of a row. The entry belongs to the organization and the site of the row;
-- for an account, there is one entry for each organization that it is a member of.
--
-- A session caches plans of this function for each of its tables. So this function is short, and
-- public.write_change does the work.
create or replace function public.note_change() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform public.write_change(tg_op, tg_table_name, to_jsonb(old), to_jsonb(new), tg_argv);
  return null;
end $$;
