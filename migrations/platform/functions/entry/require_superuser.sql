create or replace function public.require_superuser(p_caller bigint) returns void
language plpgsql as $$
begin
  perform from public.users u where u.id = p_caller and u.is_superuser;
  if not found then
    raise sqlstate 'TS403' using message = 'for superusers alone';
  end if;
end $$;
