-- Refuses (TS425) a statement whose response is too long to be sent. The error rolls its transaction back.
-- Called by src/data.
create or replace function tessera.refuse_answer() returns text
language plpgsql as $$
begin
  raise sqlstate 'TS425' using message = 'the answer is too long';
end $$;
