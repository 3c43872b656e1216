-- Ends a session. If the session has no row yet, inserts a revoked one, which is kept for p_seconds, as long
-- as the session could have lasted. A second call does nothing. Called by src/identity/login.
create or replace function public.end_session(p_session uuid, p_user_id bigint, p_seconds integer)
returns void
language sql as $$
  insert into public.refresh_families as f (id, user_id, current, revoked_at, expires_at, is_session)
  values (p_session, p_user_id, p_session, now(), now() + make_interval(secs => p_seconds), true)
  on conflict (id) do update set revoked_at = now()
   where f.user_id = excluded.user_id and f.revoked_at is null
$$;
