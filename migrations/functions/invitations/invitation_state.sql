-- Returns the state of an invitation: 'pending', or why it cannot be accepted:
--   accepted      it was accepted
--   organization  its organization is deleted; if it is restored, the invitation is pending again
--   expired       it is older than p_max_age_days; null: no age is too old
--   inviter       its inviter may no longer invite
-- or why it ended (public.end_invitations). Called by public.claim_invitation, public.settle_invitations,
-- public.invite_scim_user, public.takes_sign_up, public.cancel_invitation and src/identity/invitations.
create or replace function public.invitation_state(
  p_invitation public.invitations, p_max_age_days integer default null
) returns text stable
language sql as $$
  select case
    when p_invitation.accepted_at is not null then 'accepted'
    when p_invitation.ended is not null then p_invitation.ended
    when (select o.deletes_at is not null from public.organizations o
           where o.id = p_invitation.organization_id) then 'organization'
    when p_invitation.created < now() - make_interval(days => p_max_age_days) then 'expired'
    when not public.still_invites(p_invitation) then 'inviter'
    else 'pending'
  end
$$;
