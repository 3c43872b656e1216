-- Returns the date in a text of the form 2026-01-31. Unlike a cast it is immutable, so that an index may use
-- it. Its body is parsed when it is created, because views of guests call it under any search path. Refuses
-- (22008) a date that does not exist. Called by tessera.read_date and src/data.
create or replace function tessera.as_date(p_text text) returns date immutable parallel safe
language sql return make_date(
  substr(p_text, 1, 4)::integer, substr(p_text, 6, 2)::integer, substr(p_text, 9, 2)::integer);
