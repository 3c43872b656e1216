-- Refuses (TS437) a change of a schema that would lose other values than when it was examined. p_lost: the
-- values that it would lose, by field. The detail of the error. Called by src/data.
create or replace function tessera.refuse_losses(p_lost json) returns void
language plpgsql as $$
begin
  raise sqlstate 'TS437' using message = 'the change would lose other values', detail = p_lost::text;
end $$;
