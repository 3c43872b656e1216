-- Refuses who manages no accounts: superusers manage all of them; owners and admins those of their organizations' members.
create or replace function public.enter_managers(p_caller public.caller) returns void
language plpgsql as $$
begin
  if not (public.find_caller(p_caller)).is_superuser and not exists (select from public.managed_by(p_caller)) then
    raise sqlstate 'TS403' using message = 'the caller manages no organization';
  end if;
end $$;
