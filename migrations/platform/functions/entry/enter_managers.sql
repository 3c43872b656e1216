-- Lets a caller pass who manages accounts: superusers manage all; owners and admins those of their
-- organizations' members. Refuses (TS401) a caller who may not sign in, and (TS403) everybody else. Called by
-- src/db.
create or replace function public.enter_managers(p_caller public.caller) returns void
language plpgsql as $$
begin
  if not (public.find_caller(p_caller)).is_superuser
     and not exists (select from public.managed_by(p_caller)) then
    raise sqlstate 'TS403' using message = 'the caller manages no organization';
  end if;
end $$;
