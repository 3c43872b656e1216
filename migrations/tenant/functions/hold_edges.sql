-- Holds the edges of a table to the rules of their types, whoever writes them: a trigger of every table of edges, with
-- the rules by type as its argument: {"parent": {"max_outgoing": 1, "max_incoming": 9, "acyclic": true}}. Writers of the
-- same nodes wait for each other, and so do those of a type without cycles: each statement below sees what was
-- committed by those before. A node is locked before the graph, nodes in the order of their keys. What the edges lead to
-- their foreign keys say; otherwise three arguments follow the rules: the table, an expression for the key of its row n,
-- and a condition that n meets unless it is soft-deleted. Edges of soft-deleted nodes do not count. What is raised names the
-- rule, a node at fault, and up to ten of the written edges that break it.
create or replace function tessera.hold_edges() returns trigger
language plpgsql as $$
declare
  rules constant jsonb := tg_argv[0];
  edges constant text := format('%I.%I', tg_table_schema, tg_table_name);
  nodes record;
  -- The nodes that there are, as a join of edges e by their end to_id; nothing where none can be soft-deleted.
  there text := '';
  culprits json;
  ends record;
  broken record;
  kind text;
  -- Edges between numbered nodes, by the node that they leave; and the keys of the nodes.
  froms integer[];
  tos integer[];
  keys text[];
  -- Of each node: its first edge, and how many lead to it from nodes that are not done.
  first integer[];
  waits integer[];
  -- The nodes to which none leads any more, in the order in which they were found; how many are found, and done.
  free integer[];
  ready integer;
  done integer;
  node integer;
  edge integer;
begin
  -- The schema changed while this statement waited for it.
  if exists (select from _new n where not rules ? n.type) then
    raise sqlstate 'TS409' using message = 'there is no such type of edges any more';
  end if;

  if tg_nargs > 1 then
    there := format(' join %s n on %s = e.%%I and %s', replace(tg_argv[1], '%', '%%'), replace(tg_argv[2], '%', '%%'), replace(tg_argv[3], '%', '%%'));
  end if;
  if exists (select from _new n where rules -> n.type ?| array['max_outgoing', 'max_incoming']) then
    if tg_nargs = 1 then
      select c.confrelid::regclass::text as name, format('n.%I', a.attname) as key into nodes
        from pg_constraint c join pg_attribute a on a.attrelid = c.confrelid and a.attnum = c.confkey[1]
       where c.conrelid = tg_relid and c.contype = 'f' limit 1;
    else
      select tg_argv[1] as name, tg_argv[2] as key into nodes;
    end if;
    execute format(
      'select from %1$s n where %2$s in (select from_id from _new union select to_id from _new) order by %2$s for no key update of n',
      nodes.name, nodes.key);
    for ends in select * from (values ('from_id', 'to_id', 'max_outgoing'), ('to_id', 'from_id', 'max_incoming')) e (side, far, rule) loop
      execute format(
        'select w.node::text as node, w.type, w.most
           from (select distinct %1$I as node, type, ($1 -> type ->> %2$L)::bigint as most from _new where $1 -> type ? %2$L) w
          where (select count(*) from (select from %3$s e%4$s where e.%1$I = w.node and e.type = w.type limit w.most + 1) e) > w.most
          order by w.node limit 1',
        ends.side, ends.rule, edges, format(there, ends.far)) into broken using rules;
      if broken.node is not null then
        execute format(
          'select json_agg(json_build_object(''id'', n.id, ''from'', n.from_id::text, ''to'', n.to_id::text))
             from (select * from _new where %I::text = $1 and type = $2 order by from_id, to_id limit 10) n', ends.side)
           into culprits using broken.node, broken.type;
        raise sqlstate 'TS422' using message = 'a node has too many edges',
          detail = json_build_object('rule', ends.rule, 'type', broken.type, 'node', broken.node, 'most', broken.most, 'edges', culprits);
      end if;
    end loop;
  end if;

  for kind in select distinct n.type from _new n where rules -> n.type ? 'acyclic' order by 1 loop
    -- Not an advisory lock: a statement of any tenant could take it.
    execute format('insert into %I._locks (name) values ($1) on conflict do nothing', tg_table_schema) using tg_table_name || ' ' || kind;
    execute format('select from %I._locks l where l.name = $1 for update', tg_table_schema) using tg_table_name || ' ' || kind;
    -- A new edge is on no cycle where none leads to its beginning, or none away from its end. The others can be on one
    -- with edges that leave what is reached from their ends; but only if that is where one of them begins.
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
         select k.node, row_number() over ()::integer as n from (select from_id from kept union select to_id from kept) k (node)
       )
       select array_agg(f.n order by f.n), array_agg(t.n order by f.n), (select array_agg(node::text order by n) from numbered)
         from kept k join numbered f on f.node = k.from_id join numbered t on t.node = k.to_id',
      edges, format(there, 'to_id')) into froms, tos, keys using kind;
    continue when froms is null;

    -- Node after node is done to which no edge leads but from those that are: what is left when there is none has a cycle.
    first := array_fill(0, array[cardinality(keys)]);
    waits := first;
    free := first;
    ready := 0;
    done := 0;
    for edge in reverse cardinality(froms) .. 1 loop
      first[froms[edge]] := edge;
      waits[tos[edge]] := waits[tos[edge]] + 1;
    end loop;
    for node in 1 .. cardinality(keys) loop
      if waits[node] = 0 then
        ready := ready + 1;
        free[ready] := node;
      end if;
    end loop;
    while done < ready loop
      done := done + 1;
      node := free[done];
      edge := first[node];
      while edge > 0 and froms[edge] = node loop
        waits[tos[edge]] := waits[tos[edge]] - 1;
        if waits[tos[edge]] = 0 then
          ready := ready + 1;
          free[ready] := tos[edge];
        end if;
        edge := edge + 1;
      end loop;
    end loop;
    continue when done = cardinality(keys);

    -- From any node that is left, as many steps back as there are nodes end on a cycle.
    for edge in 1 .. cardinality(froms) loop
      if waits[froms[edge]] > 0 then
        first[tos[edge]] := froms[edge];
      end if;
    end loop;
    node := (select min(w.n) from unnest(waits) with ordinality w (waiting, n) where w.waiting > 0);
    for step in 1 .. cardinality(keys) loop
      node := first[node];
    end loop;
    edge := node;
    tos := array[node];
    while first[edge] <> node loop
      edge := first[edge];
      tos := tos || edge;
    end loop;
    select json_agg(json_build_object('id', n.id, 'from', n.from_id::text, 'to', n.to_id::text)) into culprits
      from (select x.* from _new x
             where x.type = kind and x.from_id::text in (select keys[t] from unnest(tos) t) and x.to_id::text in (select keys[t] from unnest(tos) t)
             order by x.from_id, x.to_id limit 10) n;
    raise sqlstate 'TS422' using message = 'edges form a cycle',
      detail = json_build_object('rule', 'acyclic', 'type', kind, 'node', keys[node], 'edges', culprits);
  end loop;
  return null;
end $$;
