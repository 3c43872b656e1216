-- Returns the number of rows that Postgres expects of a query, which does not run. Called by
-- tessera.count_rows.
create or replace function tessera.estimate_rows(p_query text) returns bigint
volatile parallel restricted language plpgsql as $$
declare
  explained pg_catalog.json;
begin
  execute 'explain (format json) ' || p_query into explained;
  return (explained -> 0 -> 'Plan' ->> 'Plan Rows')::numeric;
end $$;
