-- Refuses a caller who may not sign in. Answers whether the caller is a superuser.
create or replace function public.enter_platform(p_caller public.caller, out is_superuser boolean)
language plpgsql as $$
begin
  is_superuser := (public.find_caller(p_caller)).is_superuser;
end $$;
