-- Makes the numbers of tessera.next_number in this dry run higher than p_number. Called by src/data.
create or replace function tessera.pass_number(p_sequence text, p_number bigint) returns void
language plpgsql as $$
declare
  before constant bigint := tessera.next_number(p_sequence);
  number constant pg_catalog.jsonb := jsonb_build_object(p_sequence, greatest(before, p_number));
begin
  perform set_config('tessera.dry_numbers', (current_setting('tessera.dry_numbers')::jsonb || number)::text,
                     true);
end $$;
