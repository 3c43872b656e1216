-- Restores a deleted datatable with the name and the schema in p_as, and its history. Marks the steps of its
-- deletion as rolled back. What an interrupted schema change had prepared is dropped
-- (tessera.drop_pending). It runs with the rights of its caller, the site's role. Refuses (TS410) if no such
-- datatable, deleted at p_deleted_at, is there any more. Called by src/data.
create or replace function tessera.restore_datatable(
  p_id bigint, p_deleted_at timestamptz, p_as tessera.restored_datatable, p_caller_id bigint
) returns void
language plpgsql as $$
declare
  deleted pg_catalog.record;
  physical pg_catalog.regclass;
begin
  update _deleted_datatables d set is_gone = true where d.id = p_id and d.deleted_at = p_deleted_at
  returning * into deleted;
  if not found then
    raise sqlstate 'TS410' using message = 'the datatable cannot be restored any more';
  end if;
  insert into _datatables
    (id, app_id, data_source_id, name, description,
     json_schema, schema_hash, physical_table_name, is_materialized, keys_since,
     created_at, updated_at, created_by, modified_by)
  overriding system value
  values
    (deleted.id, deleted.app_id, deleted.data_source_id, p_as.name, deleted.description,
     p_as.json_schema, p_as.schema_hash, p_as.physical_table_name, deleted.is_materialized,
     deleted.keys_since, deleted.created_at, now(), deleted.created_by, p_caller_id);
  update _operations o set status = 'rolled_back'
   where o.migration_id = deleted.migration_id and o.status = 'success';
  if p_as.name <> deleted.name then
    update _operations o set datatable_name = p_as.name from _migrations m
     where m.id = o.migration_id and m.datatable_id = deleted.id;
  end if;

  physical := to_regclass(format('%I._deleted_%s', tessera.own_schema(), deleted.id));
  perform tessera.drop_pending(physical, deleted.id);
end $$;
