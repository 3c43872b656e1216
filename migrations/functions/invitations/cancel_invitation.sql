-- Cancels a pending invitation of an organization (p_organization: its slug), and deletes the account that
-- was made for this invitation if nothing else needs it. Refuses: TS404 there is no such invitation; TS410
-- it was accepted
-- or has ended, with its state as the detail (public.invitation_state). Called by src/identity/invitations.
create or replace function public.cancel_invitation(p_uuid uuid, p_organization text) returns void
language plpgsql as $$
declare
  invitation public.invitations;
begin
  select i.* into invitation
    from public.invitations i join public.organizations o on o.id = i.organization_id
   where i.uuid = p_uuid and o.slug = p_organization for update of i;
  if not found then
    raise sqlstate 'TS404' using message = 'no such invitation', detail = 'invitation';
  elsif not public.is_pending(invitation) then
    raise sqlstate 'TS410' using message = 'the invitation is not pending',
      detail = public.invitation_state(invitation);
  end if;
  perform public.take_address(invitation.invitee_identifier);
  delete from public.invitations i where i.id = invitation.id;
  delete from public.users u
   where u.id = invitation.invitee and public.is_placeholder(u)
     and not exists (select from public.invitations i where i.invitee = u.id and public.is_pending(i));
end $$;
