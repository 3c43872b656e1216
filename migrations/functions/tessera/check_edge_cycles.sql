-- Refuses (TS422) written edges that form a cycle of edges of an acyclic type. The detail has the rule, a
-- node of the cycle, and up to ten of the written edges on it, as JSON. A trigger of every table of edges
-- with an acyclic type, which fires after tessera.check_edge_limits and has the same arguments. So nodes are
-- always locked before the type.
create or replace function tessera.check_edge_cycles() returns trigger
language plpgsql as $$
declare
  rules constant pg_catalog.jsonb := tg_argv[0];
  edges constant pg_catalog.text := format('%I.%I', tg_table_schema, tg_table_name);
  -- A join of the edges `e` with the nodes at their ends that are not soft-deleted.
  visible constant pg_catalog.text := case when tg_nargs = 1 then ''
    else format(' join %s n on %s = e.to_id and %s', tg_argv[1], tg_argv[2], tg_argv[3]) end;
  kind pg_catalog.text;
  graph pg_catalog.record;
  cycle integer[];
  culprits pg_catalog.json;
begin
  for kind in select distinct n.type from _new n where rules -> n.type ? 'acyclic' order by 1 loop
    -- Writers of one type wait for each other.
    perform tessera.hold_lock(substr(tg_table_schema, 6)::bigint, tg_table_name || ' ' || kind);
    -- A new edge is on no cycle if no edge leads to its first node, or no edge leaves its second node. All
    -- other new edges are suspects. A cycle consists of edges that can be reached from the second nodes of
    -- suspects, and needs a suspect whose first node can be reached, too. The result: the edges as pairs of
    -- numbered nodes, in the order of their first nodes; and the keys of the nodes.
    execute format(
      'with recursive suspect as materialized (
         select from_id, to_id from _new n
          where type = $1 and exists (select from %1$s e where e.to_id = n.from_id and e.type = $1)
            and exists (select from %1$s e where e.from_id = n.to_id and e.type = $1)
       ), reached (node) as (
         select to_id from suspect
         union
         select e.to_id from reached r join %1$s e on e.from_id = r.node and e.type = $1%2$s
       ), kept as materialized (
         select e.from_id, e.to_id from %1$s e join reached r on r.node = e.from_id%2$s
          where e.type = $1 and exists (select from suspect s join reached x on x.node = s.from_id)
       ), numbered as materialized (
         select k.node, row_number() over ()::integer as n
           from (select from_id from kept union select to_id from kept) k (node)
       )
       select array_agg(f.n order by f.n) as froms, array_agg(t.n order by f.n) as tos,
              (select array_agg(node::text order by n) from numbered) as keys
         from kept k join numbered f on f.node = k.from_id join numbered t on t.node = k.to_id',
      edges, visible) into graph using kind;
    continue when graph.froms is null;
    cycle := tessera.find_cycle(graph.froms, graph.tos, cardinality(graph.keys));
    if cycle is not null then
      select json_agg(json_build_object('id', n.id, 'from', n.from_id::text, 'to', n.to_id::text))
        into culprits
        from (select x.* from _new x
               where x.type = kind and x.from_id::text in (select graph.keys[c] from unnest(cycle) c)
                 and x.to_id::text in (select graph.keys[c] from unnest(cycle) c)
               order by x.from_id, x.to_id limit 10) n;
      raise sqlstate 'TS422' using message = 'edges form a cycle',
        detail = json_build_object('rule', 'acyclic', 'type', kind, 'node', graph.keys[cycle[1]],
                                   'edges', culprits);
    end if;
  end loop;
  return null;
end $$;
