-- Returns a number as an integer of 64 bits; null if it has a fraction or is too large. Immutable, so that
-- an index may use it. Called by src/data.
create or replace function tessera.read_integer(p_number numeric) returns bigint immutable parallel safe
language sql return
  case when p_number between -9223372036854775808 and 9223372036854775807 then
    case when p_number = trunc(p_number) then p_number::bigint end end;
