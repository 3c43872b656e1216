-- Returns whether the inviter of an invitation may still invite: an active superuser, or an owner or admin of
-- the organization. Called by public.invitation_state.
create or replace function public.still_invites(p_invitation public.invitations) returns boolean stable
language sql as $$
  select exists (
    select from public.users b
      left join public.memberships m
        on m.organization_id = p_invitation.organization_id and m.user_id = b.id
     where b.id = p_invitation.invited_by and b.is_active
       and 'admin_site' = any (public.held_permissions(
             null, m.organization_id, b.is_superuser, m.role, null)))
$$;
