-- Whether a text is JSON of this kind, as jsonb_typeof names it.
create or replace function tessera.is_json(p_text text, p_kind text) returns boolean immutable
language plpgsql as $$
begin
  return jsonb_typeof(p_text::jsonb) = p_kind;
exception when others then
  return false;
end $$;
