-- Returns how many bytes a text has as JSON, in which a character may take six. Reads it in pieces: the JSON
-- of a long text would exhaust the memory. Of a text that is too long for any answer, it returns the bytes of
-- the text. Null: 0. Called by src/data and src/runtime/functions.
create or replace function tessera.text_bytes(p_text text) returns bigint immutable parallel safe
language plpgsql as $$
declare
  piece constant integer := 1000000;
  bytes bigint := octet_length(p_text);
  -- What is not yet counted. `substr` would count the characters before each piece again.
  remaining text := p_text;
begin
  if p_text is null or bytes > 16777216 then
    return coalesce(bytes, 0);
  end if;
  bytes := 2;
  while remaining <> '' loop
    bytes := bytes + octet_length(to_json(left(remaining, piece))::text) - 2;
    remaining := right(remaining, -piece);
  end loop;
  return bytes;
end $$;
