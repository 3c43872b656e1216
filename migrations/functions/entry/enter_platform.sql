-- Lets a caller pass who may sign in, and returns whether the caller is a superuser. Refuses everybody else
-- (TS401). Called by src/kernel/db.
create or replace function public.enter_platform(p_caller public.caller, out is_superuser boolean)
language plpgsql as $$
begin
  is_superuser := (public.find_caller(p_caller)).is_superuser;
end $$;
