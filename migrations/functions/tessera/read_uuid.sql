-- Returns the UUID in a text that has its hyphens; null for any other text. Immutable, so that an index may
-- use it. Called by src/data.
create or replace function tessera.read_uuid(p_text text) returns uuid immutable parallel safe
language sql return
  case when p_text ~* '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
       then p_text::uuid end;
