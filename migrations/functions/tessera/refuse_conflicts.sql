-- Refuses (TS427) a statement that has found conflicts of records. The error undoes what it has written.
-- p_conflicts: the detail of the error. Called by src/data, in upserts of guests and in writes with If-Match.
create or replace function tessera.refuse_conflicts(p_conflicts json) returns json
language plpgsql as $$
begin
  raise sqlstate 'TS427' using message = 'records have conflicts', detail = p_conflicts::text;
end $$;
