-- Compiles a client's pattern and runs it on texts that are made to be hard for it, as every write of its table will.
-- The caller has set the time that this may take as the statement_timeout. p_place says in the answer which pattern it
-- is. All patterns that one transaction tries have p_together_ms between them.
create or replace function tessera.try_pattern(p_place text, p_pattern text, p_texts text[], p_together_ms integer) returns void
language plpgsql as $$
declare
  began constant timestamptz := clock_timestamp();
  spent double precision := coalesce(nullif(current_setting('tessera.tried_ms', true), ''), '0');
begin
  for position in 1 .. cardinality(p_texts) loop
    perform p_texts[position] ~ p_pattern;
  end loop;
  spent := spent + extract(epoch from clock_timestamp() - began) * 1000;
  if spent > p_together_ms then
    raise sqlstate 'TS423' using message = 'the patterns take too long together', detail = p_place;
  end if;
  perform set_config('tessera.tried_ms', spent::text, true);
exception
  when query_canceled then
    raise sqlstate 'TS423' using message = 'the pattern takes too long', detail = p_place;
  when invalid_regular_expression then
    raise invalid_regular_expression using message = sqlerrm, detail = p_place;
end $$;
