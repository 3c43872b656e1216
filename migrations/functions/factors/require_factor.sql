-- Refuses (TS434) an account without a second factor (public.has_factor). Called where one is required.
-- Called by public.admit, public.require_factor_in and src/identity/organizations.
create or replace function public.require_factor(p_user_id bigint) returns void
language plpgsql as $$
begin
  if not public.has_factor(p_user_id) then
    raise sqlstate 'TS434' using message = 'the account has no second factor';
  end if;
end $$;
