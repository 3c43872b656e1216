-- Returns true if the claims of the transaction (tessera.claims) are of a site; otherwise refuses (42501). It
-- is declared IMMUTABLE so that it is evaluated while a statement is planned, before Postgres tells a guest
-- of another site anything about the rows (EXPLAIN). It returns nothing but true, because a plan that a
-- session keeps has its result: tessera.is_here_now checks the execution. Called by src/data, in every view
-- of guests.
create or replace function tessera.is_here(p_site_id bigint) returns boolean immutable parallel restricted
language plpgsql as $$
begin
  return tessera.is_here_now(p_site_id);
end $$;
