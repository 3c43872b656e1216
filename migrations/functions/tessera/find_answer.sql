-- Returns the kept answer for the key of a guest's request, and whether that request was the same. See
-- tessera.claim_answer. Called by src/kernel/db.
create or replace function tessera.find_answer(p_hash text, p_request text)
returns table (is_same boolean, answer text) stable
language sql security definer set search_path = pg_catalog, pg_temp as $$
  select k.request = p_request, k.answer from tenant._kept_answers k
   where k.site_id = (tessera.claims() ->> 'site')::bigint and k.key = 'guest ' || p_hash
     and k.answer is not null and k.expires_at > now()
$$;
