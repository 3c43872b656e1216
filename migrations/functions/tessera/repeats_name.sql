-- Returns whether an object in a JSON value has a name twice. Of such a name, jsonb keeps only the last
-- value. Called by src/data.
create or replace function tessera.repeats_name(p_json json) returns boolean immutable
language plpgsql as $$
begin
  if json_typeof(p_json) = 'object' then
    return (select count(*) > count(distinct e.key) from json_each(p_json) e)
      or exists (select from json_each(p_json) e where tessera.repeats_name(e.value));
  elsif json_typeof(p_json) = 'array' then
    return exists (select from json_array_elements(p_json) e where tessera.repeats_name(e.value));
  end if;
  return false;
end $$;
