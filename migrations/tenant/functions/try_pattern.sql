-- Compiles a client's pattern and runs it on texts that are made to be hard for it, as every write of its table will.
-- Fails with TS423 if that takes longer than p_ms, or if the statement_timeout ends it: the caller sets that to what all
-- patterns of a schema may take together. p_place says in the answer which pattern it is.
create or replace function tessera.try_pattern(p_place text, p_pattern text, p_texts text[], p_ms integer) returns void
language plpgsql as $$
declare
  began constant timestamptz := clock_timestamp();
begin
  for position in 1 .. cardinality(p_texts) loop
    perform p_texts[position] ~ p_pattern;
  end loop;
  if extract(epoch from clock_timestamp() - began) * 1000 > p_ms then
    raise sqlstate 'TS423' using message = 'the pattern takes too long', detail = p_place;
  end if;
exception
  when query_canceled then
    raise sqlstate 'TS423' using message = 'the patterns take too long', detail = p_place;
  when invalid_regular_expression then
    raise invalid_regular_expression using message = sqlerrm, detail = p_place;
end $$;
