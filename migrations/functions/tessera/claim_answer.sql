-- Takes the key of a guest's request if it is free or expired, and waits for another transaction that has it.
-- The keys of guests are separate from those of other callers. p_hash: the hash of the key. p_request: the
-- hash of the query string and the body. p_writer: the UUID of the request. Called by src/kernel/db.
create or replace function tessera.claim_answer(p_hash text, p_request text, p_writer uuid) returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into tenant._kept_answers as kept (site_id, key, request, writer, expires_at)
  values ((tessera.claims() ->> 'site')::bigint, 'guest ' || p_hash, p_request, p_writer,
          now() + interval '24 hours')
  on conflict (site_id, key) do update
     set request = excluded.request, writer = excluded.writer, answer = null, expires_at = excluded.expires_at
   where kept.expires_at <= now()
$$;
