-- Fails with TS403 for a sign-in by an organization's provider where the account is tied to another organization: what such
-- a sign-in changes of an account counts for others, too.
create or replace function public.require_own_sign_in(p_caller public.caller) returns void
language plpgsql as $$
begin
  if p_caller.organization_id is not null
     and public.is_tied_elsewhere(p_caller.id, p_caller.organization_id, '{member,permission,link}') then
    raise sqlstate 'TS403' using message = 'the account is tied to another organization';
  end if;
end $$;
