-- Returns the time of day in a text, for example 18:30 or 18:30:05.25; null for any other text. Immutable, so
-- that an index may use it. Called by tessera.read_datetime and src/data.
create or replace function tessera.read_time(p_text text) returns time immutable parallel safe
language sql return
  case when p_text ~ '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?$'
       then make_time(substr(p_text, 1, 2)::integer, substr(p_text, 4, 2)::integer,
                     coalesce(nullif(substr(p_text, 7), ''), '0')::double precision) end;
