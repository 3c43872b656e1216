-- A foreign key that triggers enforce, because one of its tables stores documents. key_name: its name.
-- field_names: its fields, for messages. fields: expressions for their values in a row `n`. has_values: the
-- condition that all these fields have a value. target_table: the referenced table. target_fields:
-- expressions for the referenced values in its row `t`. target_name: the table's name, for messages.
create type tessera.reference as (
  key_name text,
  field_names text,
  fields text,
  has_values text,
  target_table text,
  target_fields text,
  target_name text
);
