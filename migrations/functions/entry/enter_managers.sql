-- Lets a caller pass who manages accounts: superusers manage all; owners and admins those of their
-- organizations' members. Refuses (TS401) a caller who may not sign in, (TS434) one who lacks the second
-- factor that the organization requires, and (TS403) everybody else. Called by src/kernel/db.
create or replace function public.enter_managers(p_caller public.caller) returns void
language plpgsql as $$
begin
  if not (public.find_caller(p_caller)).is_superuser
     and not exists (select from public.managed_by(p_caller)) then
    perform public.require_factor_in(m.organization_id, null, m.user_id) from public.memberships m
      where m.user_id = p_caller.id and m.role in ('owner', 'admin');
    raise sqlstate 'TS403' using message = 'the caller manages no organization';
  end if;
end $$;
