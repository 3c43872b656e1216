-- Returns a date that an expression has computed for a field. Refuses (22008) one of a year before 1 or after
-- 9999, which no client can read or send. Called by src/data.
create or replace function tessera.bounded_date(p_date date) returns date immutable parallel safe
language plpgsql as $$
begin
  if p_date not between '0001-01-01' and '9999-12-31' then
    raise datetime_field_overflow using message = 'a computed date is out of range';
  end if;
  return p_date;
end $$;
