-- Returns the time of day in a text of the form 12:30:00.5. Unlike a cast it is immutable, so that an index
-- may use it. Its body is parsed when it is created, because views of guests call it under any search path.
-- Refuses (22008) a time that does not exist. Called by src/data.
create or replace function tessera.as_time(p_text text) returns time immutable parallel safe
language sql return make_time(
  substr(p_text, 1, 2)::integer, substr(p_text, 4, 2)::integer, substr(p_text, 7)::double precision);
