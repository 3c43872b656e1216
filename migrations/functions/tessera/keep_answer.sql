-- Keeps the answer to a guest's request, which has taken its key. See tessera.claim_answer. Called by
-- src/kernel/db.
create or replace function tessera.keep_answer(p_hash text, p_answer text) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  update tenant._kept_answers k set answer = p_answer
   where k.site_id = (tessera.claims() ->> 'site')::bigint and k.key = 'guest ' || p_hash
$$;
