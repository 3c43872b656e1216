-- Returns a number that an expression has computed. Refuses (22003) one of more than 1,000 digits before the
-- point or 2,000 after it: a few thousand texts of such numbers would exhaust the memory of Postgres. Called
-- by src/data.
create or replace function tessera.bounded(p_number numeric) returns numeric immutable parallel safe
language plpgsql as $$
begin
  if abs(p_number) >= 1e1000 or scale(p_number) > 2000 then
    raise numeric_value_out_of_range using message = 'a computed number has too many digits';
  end if;
  return p_number;
end $$;
