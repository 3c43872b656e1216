-- Undoes a schema change of a datatable by the SQL that was recorded with its steps, the last step first.
-- Each undone step gets its own row in the history. The datatable then has its former schema. It runs with
-- the rights of its caller, the site's role. Raises the errors of the recorded SQL. Called by src/data.
create or replace function tessera.roll_back(p_migration uuid, p_caller_id bigint) returns void
language plpgsql as $$
declare
  step pg_catalog.record;
  began pg_catalog.timestamptz;
begin
  for step in
    select o.* from _operations o
     where o.migration_id = p_migration and o.status = 'success' and o.operation_type <> 'rollback'
     order by o.id desc
  loop
    began := clock_timestamp();
    if step.rollback_sql <> '' then
      execute step.rollback_sql;
    end if;
    update _operations set status = 'rolled_back' where id = step.id;
    insert into _operations
      (app_id, datatable_name, migration_id, operation_type, description,
       sql, rollback_sql, status, execution_time_ms, created_by)
    values
      (step.app_id, step.datatable_name, p_migration, 'rollback', 'Roll back: ' || step.description,
       step.rollback_sql, step.sql, 'success', extract(epoch from clock_timestamp() - began) * 1000,
       p_caller_id);
  end loop;
  update _datatables t
     set json_schema = m.json_schema, schema_hash = m.schema_hash, is_materialized = m.is_materialized,
         updated_at = now(), modified_by = p_caller_id
    from _migrations m where m.id = p_migration and t.id = m.datatable_id;
end $$;
