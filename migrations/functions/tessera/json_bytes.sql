-- Returns how many bytes a text in UTF-8 has as JSON. Reads it in pieces of its bytes, because the JSON of a
-- long text would exhaust the memory. A piece may cut a character: what JSON escapes has one byte, and all
-- other bytes are read as Latin 1 and stay. Null: 0. Called by tessera.text_bytes and src/runtime/functions.
create or replace function tessera.json_bytes(p_utf8 bytea) returns bigint immutable parallel safe
language plpgsql as $$
declare
  piece constant integer := 1000000;
  bytes bigint := octet_length(p_utf8) + 2;
  part pg_catalog.text;
begin
  if p_utf8 is null or bytes > 16777216 then
    return coalesce(bytes, 0);
  end if;
  for start in 0 .. (bytes - 3) / piece loop
    part := convert_from(substr(p_utf8, start * piece + 1, piece), 'LATIN1');
    bytes := bytes + octet_length(to_json(part)::text) - 2 - octet_length(part);
  end loop;
  return bytes;
end $$;
