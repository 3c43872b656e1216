-- Deletes the edges of deleted nodes: a trigger of tables that a foreign key of edges cannot reference.
-- Arguments:
--   0  the table of the edges
--   1  an expression for the key of a node `n`
create or replace function tessera.delete_edges() returns trigger
language plpgsql as $$
begin
  execute format('delete from %1$s where from_id in (select %2$s from _old n)', tg_argv[0], tg_argv[1]);
  execute format('delete from %1$s where to_id in (select %2$s from _old n)', tg_argv[0], tg_argv[1]);
  return null;
end $$;
