-- Marks an invitation as accepted and returns it. p_max_age_days: see public.invitation_state. Refuses: TS404
-- there is no such invitation; TS410 it cannot be accepted, with its state as the detail. Called by
-- public.accept_invitation.
create or replace function public.claim_invitation(p_uuid uuid, p_max_age_days integer)
returns public.invitations
language plpgsql as $$
declare
  invitation public.invitations;
  state text;
begin
  select i.* into invitation from public.invitations i where i.uuid = p_uuid for update;
  if not found then
    raise sqlstate 'TS404' using message = 'no such invitation';
  end if;
  state := public.invitation_state(invitation, p_max_age_days);
  if state <> 'pending' then
    raise sqlstate 'TS410' using message = 'the invitation cannot be accepted', detail = state;
  end if;
  update public.invitations i set accepted_at = clock_timestamp() where i.id = invitation.id
  returning * into invitation;
  return invitation;
end $$;
