-- Ends the pending invitation of an organization to an address; null: of every organization. p_reason:
--   replaced     the address was invited again
--   joined       the person has become a member in another way, and got what the invitation grants
--   removed      the person was removed from the organization, or has left it
--   deactivated  the organization has switched off the account, or the person in its directory
--   address      the account of the invited person has another address now
-- Returns whether there was one. I8. Called by public.invite, public.invite_scim_user,
-- public.settle_invitations, public.follow_account, public.follow_removal, public.change_scim_user and
-- public.delete_scim_user.
create or replace function public.end_invitations(p_organization_id bigint, p_address text, p_reason text)
returns boolean
language plpgsql as $$
begin
  update public.invitations i set ended = p_reason
   where i.organization_id = coalesce(p_organization_id, i.organization_id)
     and lower(i.invitee_identifier) = lower(p_address) and public.is_pending(i);
  return found;
end $$;
