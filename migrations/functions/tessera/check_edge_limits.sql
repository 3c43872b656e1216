-- Refuses written edges whose type the table does not have (TS409), and edges that exceed max_outgoing or
-- max_incoming of their type at one of their nodes (TS422). The detail of TS422 has the rule, the node, and
-- up to ten of the written edges at it, as JSON. A trigger of every table of edges, which fires before
-- tessera.check_edge_cycles. Arguments:
--   0  the rules of each type: {"parent": {"max_outgoing": 1, "max_incoming": 9, "acyclic": true}}
--   1  the table of the nodes; 1 to 3 are omitted if foreign keys name the table and no node can be
--      soft-deleted
--   2  an expression for the key of a node `n`
--   3  a condition on `n`: it is not soft-deleted. Edges of soft-deleted nodes do not count.
-- Writers of the same node wait for each other: the nodes are locked in the order of their keys, and each
-- counting statement sees what was committed before.
create or replace function tessera.check_edge_limits() returns trigger
language plpgsql as $$
declare
  rules constant pg_catalog.jsonb := tg_argv[0];
  edges constant pg_catalog.text := format('%I.%I', tg_table_schema, tg_table_name);
  nodes pg_catalog.text := tg_argv[1];
  node_key pg_catalog.text := tg_argv[2];
  -- A join of the edges `e` with the nodes that are not soft-deleted; %I is the column of the joined end.
  visible constant pg_catalog.text := case when tg_nargs = 1 then '' else format(
    ' join %s n on %s = e.%%I and %s',
    replace(nodes, '%', '%%'), replace(node_key, '%', '%%'), replace(tg_argv[3], '%', '%%')) end;
  side pg_catalog.record;
  broken pg_catalog.record;
  culprits pg_catalog.json;
begin
  -- The schema changed while this statement waited for its lock.
  if exists (select from _new n where not rules ? n.type) then
    raise sqlstate 'TS409' using message = 'there is no such type of edges any more';
  end if;
  if not exists (select from _new n where rules -> n.type ?| array['max_outgoing', 'max_incoming']) then
    return null;
  end if;

  if tg_nargs = 1 then
    select c.confrelid::regclass::text, format('n.%I', a.attname) into nodes, node_key
      from pg_constraint c join pg_attribute a on a.attrelid = c.confrelid and a.attnum = c.confkey[1]
     where c.conrelid = tg_relid and c.contype = 'f' limit 1;
  end if;
  execute format(
    'select from %1$s n where %2$s in (select from_id from _new union select to_id from _new)
      order by %2$s for no key update of n', nodes, node_key);
  for side in
    select * from (values ('from_id', 'to_id', 'max_outgoing'),
                          ('to_id', 'from_id', 'max_incoming')) s (near, far, rule)
  loop
    execute format(
      'select w.node::text as node, w.type, w.most
         from (select distinct %1$I as node, type, ($1 -> type ->> %2$L)::bigint as most
                 from _new where $1 -> type ? %2$L) w
        where (select count(*) from (select from %3$s e%4$s
                                      where e.%1$I = w.node and e.type = w.type limit w.most + 1) e) > w.most
        order by w.node limit 1',
      side.near, side.rule, edges, format(visible, side.far)) into broken using rules;
    if broken.node is not null then
      execute format(
        'select json_agg(json_build_object(''id'', n.id, ''from'', n.from_id::text, ''to'', n.to_id::text))
           from (select * from _new where %I::text = $1 and type = $2 order by from_id, to_id limit 10) n',
        side.near) into culprits using broken.node, broken.type;
      raise sqlstate 'TS422' using message = 'a node has too many edges',
        detail = json_build_object('rule', side.rule, 'type', broken.type, 'node', broken.node,
                                   'most', broken.most, 'edges', culprits);
    end if;
  end loop;
  return null;
end $$;
