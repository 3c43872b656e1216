-- Returns the account of a caller, and notes the caller for the audit. Refuses (TS401) an account that is
-- inactive or does not exist, or whose sign-ins or session were ended. Also refuses a sign-in by a provider
-- of an organization if none of the organization's providers opens the account any more. Called by the
-- functions of this folder, public.rotate_refresh, public.prove_account, public.change_email,
-- public.set_organization_state, public.set_site_state and public.enter_transfer.
create or replace function public.find_caller(p_caller public.caller) returns public.users
language plpgsql as $$
declare
  account public.users;
begin
  select u.* into account from public.users u
   where u.id = p_caller.id and u.is_active and u.generation = p_caller.generation
     and (p_caller.session is null or public.is_open(p_caller.session))
     and (p_caller.organization_id is null or public.opens(p_caller.organization_id, u.id));
  if not found then
    raise sqlstate 'TS401' using message = 'the caller may not sign in';
  end if;
  perform public.note_caller(p_caller);
  return account;
end $$;
