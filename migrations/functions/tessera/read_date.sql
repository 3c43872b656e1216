-- Returns the date in a text of the form 2026-01-31; null for any other text. Immutable, so that an index may
-- use it. Called by tessera.read_datetime and src/data.
create or replace function tessera.read_date(p_text text) returns date immutable parallel safe
language sql return
  case when p_text ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' and p_text >= '0001' then
    case when substr(p_text, 9, 2)::integer
              <= extract(day from make_date(substr(p_text, 1, 4)::integer, substr(p_text, 6, 2)::integer, 1)
                                  + interval '1 month' - interval '1 day')
         then tessera.as_date(p_text) end end;
