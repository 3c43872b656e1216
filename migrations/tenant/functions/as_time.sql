create or replace function tessera.as_time(p_text text) returns time immutable parallel safe
language sql as $$
  select make_time(substr(p_text, 1, 2)::integer, substr(p_text, 4, 2)::integer, substr(p_text, 7)::double precision)
$$;
