-- Refuses (TS403) a sign-in that counts in one organization only: the owner of its provider or its domain
-- must not add a credential to the account, or remove one. S7. Called by public.link_own_social_account and
-- src/identity/accounts.
create or replace function public.require_platform_sign_in(p_caller public.caller) returns void
language plpgsql as $$
begin
  if p_caller.organization_id is not null then
    raise sqlstate 'TS403' using message = 'the sign-in counts in one organization only';
  end if;
end $$;
