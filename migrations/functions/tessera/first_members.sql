-- Returns the first p_count members of a JSON array; null if they have more than p_bytes bytes. Called by
-- src/data.
create or replace function tessera.first_members(p_array text, p_count integer, p_bytes integer)
returns text immutable parallel safe language plpgsql as $$
declare
  first pg_catalog.text;
begin
  select coalesce(json_agg(m.value order by m.n), '[]')::text into first
    from json_array_elements(p_array::json) with ordinality m (value, n) where m.n <= p_count;
  return case when octet_length(first) <= p_bytes then first end;
end $$;
