-- Refuses the cookie of a session that was ended.
create or replace function public.require_session(p_session uuid) returns void
language plpgsql as $$
begin
  perform from public.refresh_families f where f.id = p_session and f.revoked_at is not null;
  if found then
    raise sqlstate 'TS401' using message = 'the session was ended';
  end if;
end $$;
