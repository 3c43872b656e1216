-- Refuses (TS425) a statement whose answer would have more than p_max bytes, which are the detail. The error
-- rolls its transaction back. Called by tessera.add_bytes, src/data and src/kernel/db.
create or replace function tessera.refuse_answer(p_max bigint) returns text
stable parallel safe language plpgsql as $$
begin
  raise sqlstate 'TS425' using message = 'the answer is too long', detail = p_max::text;
end $$;
