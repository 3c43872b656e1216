-- Returns a record as JSON text with only the members in p_names; null: with all members. Called by src/data,
-- in the functions by which guests write.
create or replace function tessera.record_text(p_record json, p_names text[]) returns text immutable
language sql as $$
  select '{' || coalesce(string_agg(to_json(m.key)::text || ':' || m.value::text, ',' order by m.place), '')
             || '}'
    from json_each(p_record) with ordinality m (key, value, place)
   where p_record is not null and (p_names is null or m.key = any (p_names))
  having p_record is not null
$$;
