-- Returns the time in a text of the form 2026-01-31T12:30:00.5Z, or with +00:00 at its end. Unlike a cast it
-- is immutable, so that an index may use it. Its body is parsed when it is created, because views of guests
-- call it under any search path. Refuses (22008) a time that does not exist. Called by src/data.
create or replace function tessera.as_datetime(p_text text) returns timestamptz immutable parallel safe
language sql return make_timestamp(
  substr(p_text, 1, 4)::integer, substr(p_text, 6, 2)::integer, substr(p_text, 9, 2)::integer,
  substr(p_text, 12, 2)::integer, substr(p_text, 15, 2)::integer,
  rtrim(split_part(substr(p_text, 18), '+', 1), 'Z')::double precision) at time zone 'UTC';
