-- Returns true if the claims of the transaction (tessera.claims) are of a site; otherwise refuses (42501).
-- Unlike tessera.is_here, it is evaluated at each execution of a plan. Called by tessera.is_here, and by
-- src/data in every view of guests and at the beginning of each function by which they write.
create or replace function tessera.is_here_now(p_site_id bigint) returns boolean stable parallel restricted
language plpgsql as $$
begin
  -- A guest can change the search path, and with it what other operators mean.
  if ((tessera.claims() operator(pg_catalog.->>) 'site')::bigint operator(pg_catalog.=) p_site_id) is not true
  then
    raise insufficient_privilege using message = 'the claims are of another site';
  end if;
  return true;
end $$;
