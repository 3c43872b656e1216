-- Keeps an error for the key of a guest's request. It replaces an answer that the same request has kept
-- before. See tessera.claim_answer. Called by src/kernel/db.
create or replace function tessera.keep_error(p_hash text, p_request text, p_writer uuid, p_answer text)
returns void
language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into tenant._kept_answers as kept (site_id, key, request, writer, answer, expires_at)
  values ((tessera.claims() ->> 'site')::bigint, 'guest ' || p_hash, p_request, p_writer, p_answer,
          now() + interval '24 hours')
  on conflict (site_id, key) do update
     set request = excluded.request, writer = excluded.writer, answer = excluded.answer,
         expires_at = excluded.expires_at
   where kept.expires_at <= now() or kept.writer = excluded.writer
$$;
