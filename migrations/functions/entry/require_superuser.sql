-- Refuses (TS403) a caller who is not a superuser. Called by public.keep_system_type,
-- src/identity/organizations, src/secrets and src/operation/watching.
create or replace function public.require_superuser(p_caller_id bigint) returns void
language plpgsql as $$
begin
  perform from public.users u where u.id = p_caller_id and u.is_superuser;
  if not found then
    raise sqlstate 'TS403' using message = 'the caller is not a superuser';
  end if;
end $$;
