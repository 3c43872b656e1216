-- Notes in public.answer_sweeps when the kept answers of a site are to be swept: an hour after this one
-- expires, unless a later sweep is already noted. So a site has about one row for each hour. A trigger of
-- _kept_answers.
create or replace function public.note_kept_answer() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  site constant bigint := substr(tg_table_schema, length('site_') + 1)::bigint;
begin
  insert into public.answer_sweeps (site_id, due_at)
  select site, new.expires_at + interval '1 hour'
   where not exists (
     select from public.answer_sweeps a where a.site_id = site and a.due_at >= new.expires_at);
  return null;
end $$;
