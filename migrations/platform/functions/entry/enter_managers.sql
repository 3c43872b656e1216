create or replace function public.enter_managers(p_caller bigint, p_issued_at timestamptz, p_timeout_ms integer) returns void
language plpgsql as $$
begin
  if not (select e.is_superuser from public.enter_platform(p_caller, p_issued_at, p_timeout_ms) e)
     and not exists (select from public.memberships m where m.user_id = p_caller and m.role in ('owner', 'admin'))
  then
    raise sqlstate 'TS403' using message = 'the caller manages no organization';
  end if;
end $$;
