-- Returns how many bytes a text has as JSON, in which a character may take six. Of a text that is too long
-- for any answer, it returns the bytes of the text. Null: 0. Called by src/data, src/operation/mails and
-- src/runtime/functions.
create or replace function tessera.text_bytes(p_text text) returns bigint immutable parallel safe
language plpgsql as $$
begin
  if p_text is null or octet_length(p_text) > 16777216 then
    return coalesce(octet_length(p_text), 0);
  end if;
  return tessera.json_bytes(convert_to(p_text, 'UTF8'));
end $$;
