-- Holds the edges of a table to the rules of their types, whoever writes them: a trigger of every table of edges, with
-- the rules by type as its argument: {"parent": {"max_outgoing": 1, "max_incoming": 9, "acyclic": true}}. Writers of the
-- same nodes wait for each other, and so do those of a type without cycles: each statement below sees what was
-- committed by those before. A node is locked before the graph, nodes in the order of their keys. What the edges lead to
-- their foreign keys say; without such it follows the rules: the table, and an expression for the key of its row n.
create function _hold_edges() returns trigger
language plpgsql as $$
declare
  rules constant jsonb := tg_argv[0];
  edges constant text := format('%I.%I', tg_table_schema, tg_table_name);
  nodes record;
  ends record;
  broken record;
  kind text;
  froms text[];
  tos text[];
  before integer;
begin
  -- The schema changed while this statement waited for it.
  if exists (select from _new n where not rules ? n.type) then
    raise sqlstate 'TS409' using message = 'there is no such type of edges any more';
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
    for ends in select * from (values ('from_id', 'max_outgoing'), ('to_id', 'max_incoming')) e (side, rule) loop
      execute format(
        'select n.node::text as node, n.type, n.most
           from (select distinct %1$I as node, type, ($1 -> type ->> %2$L)::bigint as most from _new where $1 -> type ? %2$L) n
          where (select count(*) from (select from %3$s e where e.%1$I = n.node and e.type = n.type limit n.most + 1) e) > n.most
          order by n.node limit 1',
        ends.side, ends.rule, edges) into broken using rules;
      if broken.node is not null then
        raise sqlstate 'TS422' using message = 'a node has too many edges',
          detail = json_build_object('rule', ends.rule, 'type', broken.type, 'node', broken.node, 'most', broken.most);
      end if;
    end loop;
  end if;

  for kind in select distinct n.type from _new n where rules -> n.type ? 'acyclic' order by 1 loop
    perform pg_advisory_xact_lock(hashtextextended(edges || ' ' || kind, 0));
    -- The edges that a new one could be on a cycle with leave what is reached from its end; none, where no new one does.
    execute format(
      'with recursive reached (node) as (
         select to_id from _new where type = $1
         union
         select e.to_id from reached r join %1$s e on e.from_id = r.node and e.type = $1
       )
       select array_agg(e.from_id::text), array_agg(e.to_id::text) from %1$s e join reached r on r.node = e.from_id
        where e.type = $1 and exists (select from _new n join reached x on x.node = n.from_id where n.type = $1)',
      edges) into froms, tos using kind;
    -- An edge that nothing leads to, or that leads to an end, is on no cycle. What is left when there is none of those is.
    while froms is not null loop
      before := cardinality(froms);
      select array_agg(e.f), array_agg(e.t) into froms, tos from unnest(froms, tos) e (f, t)
       where e.t in (select f from unnest(froms) f) and e.f in (select t from unnest(tos) t);
      if cardinality(froms) = before then
        raise sqlstate 'TS422' using message = 'edges form a cycle',
          detail = json_build_object('rule', 'acyclic', 'type', kind, 'node', (select min(f) from unnest(froms) f));
      end if;
    end loop;
  end loop;
  return null;
end $$;
--> statement-breakpoint

-- Deletes the edges of rows that were deleted: a trigger of tables that no foreign key leads to. Its arguments are the
-- table of the edges, and an expression for the key of a row n.
create function _delete_edges() returns trigger
language plpgsql as $$
begin
  execute format('delete from %1$s where from_id in (select %2$s from _old n)', tg_argv[0], tg_argv[1]);
  execute format('delete from %1$s where to_id in (select %2$s from _old n)', tg_argv[0], tg_argv[1]);
  return null;
end $$;
