-- Returns how an invitation that is accepted without a code treats the account of its address: 'new' if
-- nobody has used the account; 'existing' if somebody has, and it needs no proof; 'own' if it needs a proof,
-- and the caller is signed in to it. p_mode: which accounts need a proof (public.needs_proof). Refuses
-- (TS403) an account that needs a proof if the caller is somebody else, may not sign in, or was signed in by
-- an organization's provider. Called by public.accept_invitation.
create or replace function public.prove_account(
  p_account public.users, p_organization_id bigint, p_mode text, p_caller public.caller
) returns text
language plpgsql as $$
begin
  if not public.needs_proof(p_account, p_organization_id, p_mode) then
    return case when public.is_used(p_account) then 'existing' else 'new' end;
  end if;
  if p_caller.id is distinct from p_account.id or p_caller.organization_id is not null then
    raise sqlstate 'TS403' using message = 'the caller has not proved that the account is theirs';
  end if;
  begin
    perform public.find_caller(p_caller);
  exception when sqlstate 'TS401' then
    raise sqlstate 'TS403' using message = 'the caller may not sign in';
  end;
  return 'own';
end $$;
