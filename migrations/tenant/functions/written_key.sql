-- Returns a primary key as text for paths and lists: its parts, separated by commas. A part that is empty or
-- has a comma or a double quote is put in double quotes, and its quotes are doubled. The only part of a key
-- is put in quotes only if it is empty, has a comma, or begins with a quote. Called by src/data and
-- src/outbox.
create or replace function tessera.written_key(p_parts text[]) returns text immutable strict parallel safe
language sql as $$
  select string_agg(case when p.part ~ case when cardinality(p_parts) = 1 then '^"|,|^$' else '[",]|^$' end
                         then '"' || replace(p.part, '"', '""') || '"' else p.part end, ',' order by p.place)
    from unnest(p_parts) with ordinality p (part, place)
$$;
