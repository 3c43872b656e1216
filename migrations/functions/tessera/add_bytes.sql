-- Adds the bytes of a row to those of the rows before it. Refuses (TS425) a row with which they exceed p_max.
-- So the JSON of rows is never made beyond the limit. It is what the aggregate tessera.bytes_within does for
-- each row. Called by tessera.run, tessera.add_text, src/kernel/db and src/runtime/functions.
create or replace function tessera.add_bytes(p_sum bigint, p_bytes bigint, p_max bigint) returns bigint
immutable parallel safe language plpgsql as $$
begin
  if p_sum + p_bytes > p_max then
    perform tessera.refuse_answer(p_max);
  end if;
  return p_sum + coalesce(p_bytes, 0);
end $$;
