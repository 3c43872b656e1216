-- Returns a time that an expression has computed for a field. Refuses (22008) one of a year before 1 or after
-- 9999 in UTC, which no client can read or send. Called by src/data.
create or replace function tessera.bounded_datetime(p_time timestamptz) returns timestamptz
immutable parallel safe language plpgsql as $$
begin
  if p_time at time zone 'UTC' not between '0001-01-01' and '9999-12-31 23:59:59.999999' then
    raise datetime_field_overflow using message = 'a computed time is out of range';
  end if;
  return p_time;
end $$;
