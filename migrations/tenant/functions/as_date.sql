create or replace function tessera.as_date(p_text text) returns date immutable parallel safe
language sql as $$
  select make_date(substr(p_text, 1, 4)::integer, substr(p_text, 6, 2)::integer, substr(p_text, 9, 2)::integer)
$$;
