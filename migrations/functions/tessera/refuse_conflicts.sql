-- Refuses (TS427) a statement that has written some records and found conflicts of others. The error undoes
-- the writes. p_conflicts: the detail of the error. Called by src/data, in upserts of guests.
create or replace function tessera.refuse_conflicts(p_conflicts json) returns json
language plpgsql as $$
begin
  raise sqlstate 'TS427' using message = 'records have conflicts', detail = p_conflicts::text;
end $$;
