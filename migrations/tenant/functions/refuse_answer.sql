-- Takes back the statement whose answer would be too long to send.
create or replace function tessera.refuse_answer() returns text
language plpgsql as $$
begin
  raise sqlstate 'TS425' using message = 'the answer is too long';
end $$;
