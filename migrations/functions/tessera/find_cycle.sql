-- Returns the nodes of one cycle of a graph, against the direction of its edges; null: there is none. Nodes
-- are numbers from 1 to p_node_count. Edge i leads from p_froms[i] to p_tos[i]; the edges are in the order of
-- p_froms. It uses Kahn's algorithm, and then walks back along the edges of the remaining nodes. Called by
-- tessera.check_edge_cycles.
create or replace function tessera.find_cycle(p_froms integer[], p_tos integer[], p_node_count integer)
returns integer[] immutable
language plpgsql as $$
declare
  waiting constant integer[] := tessera.nodes_left(p_froms, p_tos, p_node_count);
  -- For each remaining node, one remaining node from which an edge leads to it.
  before integer[];
  node integer;
  cycle integer[];
begin
  if waiting is null then
    return null;
  end if;
  before := array_fill(0, array[p_node_count]);
  for edge in 1 .. cardinality(p_froms) loop
    if waiting[p_froms[edge]] > 0 then
      before[p_tos[edge]] := p_froms[edge];
    end if;
  end loop;
  -- From any remaining node, p_node_count steps back always end on a cycle.
  node := (select min(w.node) from unnest(waiting) with ordinality w (edges, node) where w.edges > 0);
  for step in 1 .. p_node_count loop
    node := before[node];
  end loop;
  cycle := array[node];
  while before[cycle[cardinality(cycle)]] <> node loop
    cycle := cycle || before[cycle[cardinality(cycle)]];
  end loop;
  return cycle;
end $$;
