-- Returns whether a text is JSON of the kind p_kind, one of those that jsonb_typeof returns. Called by
-- src/data.
create or replace function tessera.is_json(p_text text, p_kind text) returns boolean immutable
language plpgsql as $$
begin
  return jsonb_typeof(p_text::jsonb) = p_kind;
exception when others then
  return false;
end $$;
