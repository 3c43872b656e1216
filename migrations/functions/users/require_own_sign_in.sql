-- Refuses (TS403) a sign-in by an organization's provider if the account is tied to another organization,
-- where a change of the account would also take effect. Called by src/kernel/db and public.change_email.
create or replace function public.require_own_sign_in(p_caller public.caller) returns void
language plpgsql as $$
begin
  if p_caller.organization_id is not null
     and public.is_tied_elsewhere(
       p_caller.id, p_caller.organization_id, '{member,permission,link,guest}') then
    raise sqlstate 'TS403' using message = 'the account is tied to another organization';
  end if;
end $$;
