-- Returns the next number of a sequence. A dry run leaves the sequence as it is, because a rollback does not
-- undo its change: it counts in its transaction, far above the numbers that other transactions may get
-- meanwhile. Called by tessera.pass_number, src/data, and the functions with which guests create records.
create or replace function tessera.next_number(p_sequence text) returns bigint language plpgsql as $$
declare
  numbers constant pg_catalog.jsonb := nullif(current_setting('tessera.dry_numbers', true), '');
  distance constant integer := 1000000;
  number bigint;
begin
  if numbers is null then
    return nextval(p_sequence);
  end if;
  number := 1 + coalesce((numbers ->> p_sequence)::bigint,
                         coalesce(pg_sequence_last_value(p_sequence::regclass), 0) + distance);
  perform set_config('tessera.dry_numbers', (numbers || jsonb_build_object(p_sequence, number))::text, true);
  return number;
end $$;
