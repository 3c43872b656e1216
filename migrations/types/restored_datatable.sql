-- A deleted datatable as it is restored: its name, its physical table, and a schema that fits the current
-- state of its app.
create type tessera.restored_datatable as (
  name text,
  physical_table_name text,
  json_schema json,
  schema_hash text
);
