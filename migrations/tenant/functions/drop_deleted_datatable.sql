-- Drops a deleted datatable whose time is over, the one that has waited the longest, with its records and edges; false
-- if there is none. It runs as who calls it: the tenant's role.
create or replace function tessera.drop_deleted_datatable() returns boolean
language plpgsql as $$
declare
  began constant timestamptz := clock_timestamp();
  gone record;
  script text;
begin
  delete from _deleted_datatables d
   where d.id = (select x.id from _deleted_datatables x where x.drop_at <= now() order by x.drop_at limit 1 for update skip locked)
  returning * into gone;
  if not found then
    return false;
  end if;
  if gone.is_materialized then
    script := format('drop table if exists %1$I.%2$I; drop table %1$I.%3$I;',
                     current_schema(), '_deleted_' || gone.id || '_edges', '_deleted_' || gone.id);
    execute script;
    insert into _operations (app_id, datatable_name, operation_type, description, sql, rollback_sql, status, execution_time_ms, created_by)
    values (gone.app_id, gone.name, 'drop_table', 'Drop table ' || gone.name || ' for good', script, '', 'success',
            extract(epoch from clock_timestamp() - began) * 1000, gone.deleted_by);
  end if;
  return true;
end $$;
