-- Returns whether the inviter of an invitation may still invite: an active superuser, or an owner or admin of
-- the organization. Called by public.invitation_state.
create or replace function public.still_invites(p_invitation public.invitations) returns boolean stable
language sql as $$
  select exists (
    select from public.users b
     where b.id = p_invitation.invited_by and b.is_active
       and (b.is_superuser
            or exists (select from public.memberships m
                        where m.organization_id = p_invitation.organization_id
                          and m.user_id = b.id and m.role in ('owner', 'admin'))))
$$;
