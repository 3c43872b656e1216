-- Returns whether an invitation was neither accepted nor ended. Whether it can be accepted also depends on
-- its age, its inviter and its organization: public.invitation_state. Called by many.
create or replace function public.is_pending(p_invitation public.invitations) returns boolean immutable
language sql as $$
  select p_invitation.accepted_at is null and p_invitation.ended is null
$$;
