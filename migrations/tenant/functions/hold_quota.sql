-- Fails when there are more than there may be. Whoever counts holds a lock that all others who add to them take, too, and
-- counts in a statement of its own, which sees what those before it have committed. p_refusal is what the client reads.
create or replace function tessera.hold_quota(p_refusal text, p_count bigint, p_max integer) returns void
language plpgsql as $$
begin
  if p_count > p_max then
    raise sqlstate 'TS424' using message = 'there are as many as there may be', detail = p_refusal;
  end if;
end $$;
