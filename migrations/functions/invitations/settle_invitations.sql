-- Ends the pending invitation of an organization to a member whose address is proved, and gives the member
-- what it grants, if it could be accepted. If the address is not proved, the invitation stays pending:
-- whoever accepts it must prove the address (public.needs_proof), and any other proof settles it. I8. Called
-- by public.follow_membership and public.follow_account.
create or replace function public.settle_invitations(p_organization_id bigint, p_account public.users)
returns void
language plpgsql as $$
declare
  invitation public.invitations;
begin
  perform public.take_address(p_account.email);
  if p_account.email_verified_at is null then
    return;
  end if;
  select i.* into invitation from public.invitations i
   where i.organization_id = p_organization_id
     and lower(i.invitee_identifier) = lower(p_account.email) and public.is_pending(i);
  if not found then
    return;
  end if;
  perform public.end_invitations(p_organization_id, p_account.email, 'joined');
  if public.invitation_state(invitation) = 'pending' then
    perform public.grant_invited(invitation, p_account.id);
  end if;
end $$;
