-- Removes from a graph each node that no edge leads to, and the edges that leave it, until there is no such
-- node. Returns for each node how many edges still lead to it; null: no node is left, so the graph has no
-- cycle. The parameters are those of tessera.find_cycle. Called by tessera.find_cycle.
create or replace function tessera.nodes_left(p_froms integer[], p_tos integer[], p_node_count integer)
returns integer[] immutable
language plpgsql as $$
declare
  -- For each node: its first edge, and how many edges lead to it.
  first_edges integer[] := array_fill(0, array[p_node_count]);
  waiting integer[] := array_fill(0, array[p_node_count]);
  -- The nodes that no edge leads to any more, in the order in which they were found; how many were found, and
  -- how many of them were removed.
  free integer[] := array_fill(0, array[p_node_count]);
  found_count integer := 0;
  taken_count integer := 0;
  edge integer;
begin
  for edge in reverse cardinality(p_froms) .. 1 loop
    first_edges[p_froms[edge]] := edge;
    waiting[p_tos[edge]] := waiting[p_tos[edge]] + 1;
  end loop;
  for node in 1 .. p_node_count loop
    if waiting[node] = 0 then
      found_count := found_count + 1;
      free[found_count] := node;
    end if;
  end loop;
  while taken_count < found_count loop
    taken_count := taken_count + 1;
    edge := first_edges[free[taken_count]];
    while edge > 0 and p_froms[edge] = free[taken_count] loop
      waiting[p_tos[edge]] := waiting[p_tos[edge]] - 1;
      if waiting[p_tos[edge]] = 0 then
        found_count := found_count + 1;
        free[found_count] := p_tos[edge];
      end if;
      edge := edge + 1;
    end loop;
  end loop;
  return case when taken_count < p_node_count then waiting end;
end $$;
