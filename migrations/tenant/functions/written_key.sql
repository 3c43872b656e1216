-- Returns a primary key as it is written in a record's path and in lists of keys: its parts joined by commas, those that
-- are empty or have a comma or a quote in double quotes, in which quotes are doubled. A key of one part reads as itself
-- unless it is empty, has a comma or begins with a quote.
create or replace function tessera.written_key(p_parts text[]) returns text immutable strict parallel safe
language sql as $$
  select string_agg(case when p.part ~ case when cardinality(p_parts) = 1 then '^"|,|^$' else '[",]|^$' end
                         then '"' || replace(p.part, '"', '""') || '"' else p.part end, ',' order by p.place)
    from unnest(p_parts) with ordinality p (part, place)
$$;
