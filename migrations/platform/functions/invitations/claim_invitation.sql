-- Marks an invitation as accepted and returns it. p_max_age_days: older invitations are refused; null: no age
-- is refused. Refuses: TS404 there is no such invitation; TS410 it was accepted already, is too old, or its
-- inviter may no longer invite. Called by public.accept_invitation.
create or replace function public.claim_invitation(p_uuid uuid, p_max_age_days integer)
returns public.invitations
language plpgsql as $$
declare
  invitation public.invitations;
begin
  update public.invitations i set accepted_at = clock_timestamp()
   where i.uuid = p_uuid and i.accepted_at is null
  returning * into invitation;
  if not found then
    if exists (select from public.invitations i where i.uuid = p_uuid) then
      raise sqlstate 'TS410' using message = 'the invitation was accepted already';
    end if;
    raise sqlstate 'TS404' using message = 'no such invitation';
  end if;
  if invitation.created < clock_timestamp() - make_interval(days => p_max_age_days) then
    raise sqlstate 'TS410' using message = 'the invitation has expired';
  elsif not public.still_invites(invitation) then
    raise sqlstate 'TS410' using message = 'the inviter may no longer invite';
  end if;
  return invitation;
end $$;
