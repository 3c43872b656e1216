-- A foreign key that triggers hold, because one of its tables keeps documents. key_name: its name.
-- field_names: its fields, for messages. fields: expressions for their values in a row `n`. has_values: a
-- condition that all of them have a value. target_table: the referenced table. target_fields: expressions for
-- the referenced values in its row `t`. target_name: the table's name, for messages.
create type tessera.reference as (
  key_name text,
  field_names text,
  fields text,
  has_values text,
  target_table text,
  target_fields text,
  target_name text
);
