-- Adds the bytes that a text has as JSON to those of the texts before it. Refuses (TS425) a text with which
-- they exceed p_max. It is what the aggregate tessera.texts_within does for each text.
create or replace function tessera.add_text(p_sum bigint, p_text text, p_max bigint) returns bigint
immutable parallel safe language plpgsql as $$
begin
  return tessera.add_bytes(p_sum, octet_length(to_json(p_text)::text) + 2, p_max);
end $$;
