-- Drops the deleted datatable that is due and was due first, with its records, their versions and edges,
-- and adds the drop to the history. One that something depends on, such as a view of guests of an inactive
-- table, is tried again a day later, so that the others do not wait. Returns false if none is due. It runs
-- with the rights of its caller, the site's role. Called by src/data.
create or replace function tessera.drop_deleted_datatable() returns boolean
language plpgsql as $$
declare
  began constant pg_catalog.timestamptz := clock_timestamp();
  dropped pg_catalog.record;
  script pg_catalog.text;
begin
  select x.* into dropped from _deleted_datatables x where x.drop_at <= now()
   order by x.drop_at limit 1 for update skip locked;
  if not found then
    return false;
  end if;
  if dropped.is_materialized then
    script := format('drop table if exists %1$I.%2$I, %1$I.%4$I; drop table if exists %1$I.%3$I;',
                     tessera.own_schema(), '_deleted_' || dropped.id || '_edges',
                     '_deleted_' || dropped.id, '_deleted_' || dropped.id || '$history');
    begin
      execute script;
    exception when dependent_objects_still_exist then
      update _deleted_datatables d set drop_at = now() + interval '1 day' where d.id = dropped.id;
      return true;
    end;
    insert into _operations
      (app_id, datatable_name, operation_type, description,
       sql, rollback_sql, status, execution_time_ms, created_by)
    values
      (dropped.app_id, dropped.name, 'drop_table', 'Drop table ' || dropped.name || ' for good',
       script, '', 'success', extract(epoch from clock_timestamp() - began) * 1000, dropped.deleted_by);
  end if;
  update _deleted_datatables d set is_gone = true where d.id = dropped.id;
  return true;
end $$;
