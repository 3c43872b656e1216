create or replace function public.end_session(p_session uuid, p_user bigint, p_seconds integer) returns void
language sql as $$
  insert into public.refresh_families (id, user_id, current, revoked_at, expires_at)
  values (p_session, p_user, p_session, now(), now() + make_interval(secs => p_seconds))
  on conflict do nothing
$$;
