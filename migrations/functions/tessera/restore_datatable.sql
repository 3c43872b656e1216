-- Restores a deleted datatable with the name and the schema in p_as, and its history. Marks the steps of its
-- deletion as rolled back. Columns, constraints and indexes that an interrupted schema change had prepared
-- (names with _pending_) are dropped. It runs with the rights of its caller, the site's role. Refuses (TS410)
-- if no such datatable, deleted at p_deleted_at, is there any more. Called by src/data.
create or replace function tessera.restore_datatable(
  p_id bigint, p_deleted_at timestamptz, p_as tessera.restored_datatable, p_caller_id bigint
) returns void
language plpgsql as $$
declare
  deleted pg_catalog.record;
  physical pg_catalog.regclass;
  leftover pg_catalog.text;
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
  -- Dropping a column drops its constraints and indexes.
  for leftover in
    select format('alter table %s drop column %I', physical, a.attname) from pg_attribute a
     where a.attrelid = physical and a.attnum > 0 and not a.attisdropped
       and starts_with(a.attname, '_pending_')
  loop
    execute leftover;
  end loop;
  for leftover in
    select format('alter table %s drop constraint %I', physical, c.conname) from pg_constraint c
     where c.conrelid = physical and starts_with(c.conname, '_pending_')
    union all
    select format('drop index %s', x.indexrelid::regclass)
      from pg_index x join pg_class i on i.oid = x.indexrelid
     where x.indrelid = physical and starts_with(i.relname, '_pending_')
  loop
    execute leftover;
  end loop;
end $$;
