-- Returns the date in a text of the form 2026-01-31. Unlike a cast it is immutable, so that an index may use
-- it. Refuses (22008) a date that does not exist. Called by tessera.read_date and src/data.
create or replace function tessera.as_date(p_text text) returns date immutable parallel safe
language sql as $$
  select make_date(substr(p_text, 1, 4)::integer, substr(p_text, 6, 2)::integer,
                   substr(p_text, 9, 2)::integer)
$$;
