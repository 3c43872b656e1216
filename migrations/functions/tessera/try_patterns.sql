-- Compiles a client's patterns and matches each with texts that are slow to match, in the same way as every
-- write of its table will. p_patterns has objects with the members place (in the schema), pattern and texts.
-- Refuses, with the place of the pattern as the detail: 2201B it is not valid; TS423 it takes longer than
-- p_max_ms, or all up to it take longer than twice as long, or the statement_timeout ends it. One call tries
-- all, so that no statement_timeout can end between two. Called by src/data.
create or replace function tessera.try_patterns(p_patterns jsonb, p_max_ms integer) returns void
language plpgsql as $$
declare
  first constant pg_catalog.timestamptz := clock_timestamp();
  most constant interval := make_interval(secs => p_max_ms / 1000.0);
  began pg_catalog.timestamptz;
  tried pg_catalog.record;
begin
  for tried in select p.* from jsonb_to_recordset(p_patterns) p (place text, pattern text, texts text[]) loop
    began := clock_timestamp();
    for position in 1 .. cardinality(tried.texts) loop
      perform tried.texts[position] ~ tried.pattern;
    end loop;
    if clock_timestamp() - began > most or clock_timestamp() - first > 2 * most then
      raise sqlstate 'TS423' using message = 'the pattern takes too long', detail = tried.place;
    end if;
  end loop;
exception
  when query_canceled then
    raise sqlstate 'TS423' using message = 'the patterns take too long', detail = tried.place;
  when invalid_regular_expression then
    raise invalid_regular_expression using message = sqlerrm, detail = tried.place;
end $$;
