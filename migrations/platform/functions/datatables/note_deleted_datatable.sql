-- Mirrors a row of a site's _deleted_datatables in public.deleted_datatables, so that one query finds all
-- deleted datatables of all sites that are due to be dropped. A trigger of _deleted_datatables.
create or replace function public.note_deleted_datatable() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  site constant bigint := substr(tg_table_schema, length('site_') + 1)::bigint;
begin
  if tg_op = 'DELETE' then
    delete from public.deleted_datatables d where d.site_id = site and d.datatable_id = old.id;
  elsif tg_op = 'UPDATE' then
    update public.deleted_datatables d set due_at = new.drop_at
     where d.site_id = site and d.datatable_id = new.id;
  else
    insert into public.deleted_datatables (site_id, datatable_id, due_at) values (site, new.id, new.drop_at);
  end if;
  return null;
end $$;
