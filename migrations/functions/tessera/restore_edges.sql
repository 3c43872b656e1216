-- Checks the edges of restored nodes against the rules of their types: updates the edges without a change, so
-- that their triggers fire. A trigger of tables whose nodes can be soft-deleted. Arguments:
--   0  the table of the edges
--   1  the table of the nodes
--   2  an expression for the key of a node `n`
--   3  a condition on `n`: it is not soft-deleted
--   4  the types that have rules, as a text array
create or replace function tessera.restore_edges() returns trigger
language plpgsql as $$
declare
  any_hidden boolean;
begin
  execute format('select exists (select from _old n where not (%s))', tg_argv[3]) into any_hidden;
  if any_hidden then
    execute format(
      'with restored as materialized (
         select %3$s as node from _new n where %4$s intersect select %3$s from _old n where not (%4$s)
       ), touched as (
         select e.id from restored r join %1$s e on e.from_id = r.node
         union
         select e.id from restored r join %1$s e on e.to_id = r.node
       )
       update %1$s e set type = e.type from touched t
        where e.id = t.id and e.type = any ($1)
          and exists (select from %2$s n where %3$s = e.from_id and %4$s)
          and exists (select from %2$s n where %3$s = e.to_id and %4$s)',
      tg_argv[0], tg_argv[1], tg_argv[2], tg_argv[3]) using tg_argv[4]::text[];
  end if;
  return null;
end $$;
