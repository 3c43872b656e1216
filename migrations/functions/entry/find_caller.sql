-- Returns the account of a caller, and notes the caller for the audit. Refuses (TS401) an account that is
-- inactive or does not exist, or whose sign-ins or session were ended, and a sign-in that counts in one
-- organization and no longer does (public.counts). Called by the functions of this folder,
-- public.rotate_refresh, public.prove_account, public.change_email, public.set_organization_state,
-- public.set_site_state and public.enter_transfer.
create or replace function public.find_caller(p_caller public.caller) returns public.users
language plpgsql as $$
declare
  account public.users;
begin
  select u.* into account from public.users u
   where u.id = p_caller.id and u.is_active and u.generation = p_caller.generation
     and (p_caller.session is null or public.is_open(p_caller.session))
     and public.counts(p_caller);
  if not found then
    raise sqlstate 'TS401' using message = 'the caller may not sign in';
  end if;
  perform public.note_caller(p_caller);
  return account;
end $$;
