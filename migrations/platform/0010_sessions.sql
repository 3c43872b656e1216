-- Sessions of browsers. Each is a family of its own (0002), which has a row only once it has ended.

-- Refuses the cookie of a session that was ended.
create function public.require_session(p_session uuid) returns void
language plpgsql as $$
begin
  perform from public.refresh_families f where f.id = p_session and f.revoked_at is not null;
  if found then
    raise sqlstate 'TS401' using message = 'the session was ended';
  end if;
end $$;
--> statement-breakpoint

create function public.end_session(p_session uuid, p_user bigint, p_seconds integer) returns void
language sql as $$
  insert into public.refresh_families (id, user_id, current, revoked_at, expires_at)
  values (p_session, p_user, p_session, now(), now() + make_interval(secs => p_seconds))
  on conflict do nothing
$$;
--> statement-breakpoint
revoke execute on function public.require_session, public.end_session from public;
