-- Writes the computed fields of a document before it is stored: a trigger of each table of documents that has
-- such fields. The argument is an expression for an object of their values, computed from the document
-- `n._data`. Trigger: compute_fields on the tables of documents (src/data/providers/jsonb/computation.ts).
create or replace function tessera.compute_fields() returns trigger
language plpgsql as $$
declare
  computed pg_catalog.jsonb;
begin
  execute format('select %s from (select $1 as _data) n', tg_argv[0]) into computed using new._data;
  new._data := new._data || computed;
  return new;
end $$;
