-- Counts the e-mail of an invitation that is due: public.admit_letter. Drops an e-mail that is not admitted;
-- if its organization has no budget, lets it wait for an hour. p_mail_version: the request that the e-mail
-- belongs to. p_budget: how many e-mails an organization may cause in a day. Called by
-- src/identity/invitations.
create or replace function public.admit_invitation_email(
  p_id bigint, p_mail_version integer, p_reference text, p_budget integer
) returns void
language plpgsql as $$
declare
  invitation public.invitations;
  outcome text;
begin
  select i.* into invitation from public.invitations i
   where i.id = p_id and i.mail = 'wanted' and i.mail_version = p_mail_version for update;
  if not found then
    return;
  end if;
  outcome := public.admit_letter(
    p_reference, 'caused', invitation.invitee_identifier, invitation.organization_id, p_budget);
  if outcome = 'spent' then
    update public.invitations i set mail_wanted_at = now() + interval '1 hour' where i.id = p_id;
  elsif outcome <> 'admitted' then
    update public.invitations i set mail = 'dropped' where i.id = p_id;
  end if;
end $$;
