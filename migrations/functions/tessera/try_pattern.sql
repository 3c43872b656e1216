-- Compiles a client's pattern and matches it with texts that are slow to match, in the same way as every
-- write of its table will. Refuses: 2201B the pattern is not valid; TS423 it takes longer than p_max_ms, or
-- the statement_timeout ends it, which the caller sets to the time that all patterns of a schema may take
-- together. The detail is p_place, the place of the pattern in the schema. Called by src/data.
create or replace function tessera.try_pattern(p_place text, p_pattern text, p_texts text[], p_max_ms integer)
returns void
language plpgsql as $$
declare
  began constant timestamptz := clock_timestamp();
begin
  for position in 1 .. cardinality(p_texts) loop
    perform p_texts[position] ~ p_pattern;
  end loop;
  if extract(epoch from clock_timestamp() - began) * 1000 > p_max_ms then
    raise sqlstate 'TS423' using message = 'the pattern takes too long', detail = p_place;
  end if;
exception
  when query_canceled then
    raise sqlstate 'TS423' using message = 'the patterns take too long', detail = p_place;
  when invalid_regular_expression then
    raise invalid_regular_expression using message = sqlerrm, detail = p_place;
end $$;
