-- Counts the rows of a query, whose values are apart from it as in tessera.run. It stops after p_most rows
-- (null: never) and after p_ms milliseconds (0: it counts none): it looks at the clock after each 10,000
-- rows, so that a query that finds few of many rows takes longer. Returns {"total", "is"}: `is` is "exact",
-- or p_beyond if it has stopped. Then the total is null, or for "estimated" the number that Postgres
-- expects, but not less than the rows that were counted. p_trusts: Postgres's estimate is right within a
-- half, as for a whole table. If it is above twice p_most, nothing is counted after the first 10,000 rows.
-- Called by src/data.
create or replace function tessera.count_rows(
  p_query text, p_values text[], p_most bigint, p_ms integer, p_beyond text, p_trusts boolean default false
) returns jsonb stable parallel restricted language plpgsql as $$
declare
  query constant pg_catalog.text := format(p_query, variadic p_values);
  opened pg_catalog.refcursor;
  found_rows bigint := 0;
  moved bigint;
  step bigint;
  deadline constant pg_catalog.timestamptz := clock_timestamp() + make_interval(secs => p_ms / 1000.0);
begin
  open opened no scroll for execute query;
  loop
    exit when p_ms = 0;
    step := least(10000, p_most + 1 - found_rows);
    move forward step in opened;
    get diagnostics moved = row_count;
    found_rows := found_rows + moved;
    if moved < step and found_rows <= coalesce(p_most, found_rows) then
      close opened;
      return jsonb_build_object('total', found_rows, 'is', 'exact');
    end if;
    exit when found_rows > p_most or clock_timestamp() > deadline;
    exit when p_trusts and found_rows = 10000 and tessera.estimate_rows(query) > 2 * p_most;
  end loop;
  close opened;
  return jsonb_build_object('is', p_beyond, 'total',
    case when p_beyond = 'estimated' then greatest(found_rows, tessera.estimate_rows(query)) end);
end $$;
