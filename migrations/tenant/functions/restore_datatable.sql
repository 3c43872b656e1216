-- Makes a deleted datatable one of its app again, under a name and with a schema that fit the app as it is now. Its
-- history goes with it, and the steps that put it aside are rolled back by this. What a change of the table that was cut
-- off had made ahead of its schema (src/data/datatables/names.ts) does not come back. Fails with TS410 if the datatable
-- is not the one any more that was deleted at this moment. It runs as who calls it: the tenant's role.
create or replace function tessera.restore_datatable(
  p_id bigint, p_deleted_at timestamptz, p_name text, p_physical text, p_schema json, p_hash text, p_caller bigint
) returns void
language plpgsql as $$
declare
  gone record;
  aside regclass;
  leftover text;
begin
  delete from _deleted_datatables d where d.id = p_id and d.deleted_at = p_deleted_at returning * into gone;
  if not found then
    raise sqlstate 'TS410' using message = 'the datatable cannot be restored any more';
  end if;
  insert into _datatables (id, app_id, data_source_id, name, description, json_schema, schema_hash, physical_table_name,
                           is_materialized, keys_since, created_at, updated_at, created_by, modified_by)
  overriding system value
  values (gone.id, gone.app_id, gone.data_source_id, p_name, gone.description, p_schema, p_hash, p_physical,
          gone.is_materialized, gone.keys_since, gone.created_at, now(), gone.created_by, p_caller);
  update _operations o set status = 'rolled_back' where o.migration_id = gone.migration_id and o.status = 'success';
  if p_name <> gone.name then
    update _operations o set datatable_name = p_name from _migrations m where m.id = o.migration_id and m.datatable_id = gone.id;
  end if;

  aside := to_regclass(format('%I.%I', current_schema(), '_deleted_' || gone.id));
  -- With a column goes what stands on it.
  for leftover in
    select format('alter table %s drop column %I', aside, a.attname) from pg_attribute a
     where a.attrelid = aside and a.attnum > 0 and not a.attisdropped and starts_with(a.attname, '_pending_')
  loop
    execute leftover;
  end loop;
  for leftover in
    select format('alter table %s drop constraint %I', aside, c.conname) from pg_constraint c
     where c.conrelid = aside and starts_with(c.conname, '_pending_')
    union all
    select format('drop index %s', x.indexrelid::regclass) from pg_index x join pg_class i on i.oid = x.indexrelid
     where x.indrelid = aside and starts_with(i.relname, '_pending_')
  loop
    execute leftover;
  end loop;
end $$;
