-- Invites an address to an organization. False for the address of a member. I3.
create or replace function public.invite(p_uuid uuid, p_organization text, p_caller bigint, p_email text, p_config jsonb) returns boolean
language plpgsql as $$
declare
  organization bigint := (select o.id from public.organizations o where o.slug = p_organization);
  account public.users := public.account_at(p_email);
begin
  if exists (select from public.memberships m where m.organization_id = organization and m.user_id = account.id) then
    return false;
  end if;
  insert into public.invitations (uuid, organization_id, invitee_identifier, invited_by, invitee, config)
  values (p_uuid, organization, p_email, p_caller, account.id, p_config);
  return true;
end $$;
