-- Refuses (TS424) a count that exceeds a quota; p_refusal is the detail of the error, which the client gets.
-- The caller must hold a lock that every transaction takes before it adds to the count, and must count in the
-- statement that calls this function: it sees what was committed before. Called by src/kernel/db and
-- src/operation/questions.
create or replace function tessera.hold_quota(p_refusal text, p_count bigint, p_max bigint) returns void
language plpgsql as $$
begin
  if p_count > p_max then
    raise sqlstate 'TS424' using message = 'the quota is exceeded', detail = p_refusal;
  end if;
end $$;
