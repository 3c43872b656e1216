-- Invites an account to an organization for its directory, and returns the invitation. It replaces a pending
-- one and grants what that one grants, because a directory grants nothing itself. I8. The inviter is the
-- account that made the key if it may still invite; otherwise the organization's first owner. Called by
-- public.create_scim_user and public.change_scim_user.
create or replace function public.invite_scim_user(p_request public.scim_request, p_user_id bigint)
returns public.invitations
language plpgsql as $$
declare
  organization constant bigint := p_request.organization_id;
  address constant text := (select u.email from public.users u where u.id = p_user_id);
  config jsonb;
  invitation public.invitations;
begin
  perform public.take_address(address);
  select i.config into config from public.invitations i
   where i.organization_id = organization and lower(i.invitee_identifier) = lower(address)
     and public.invitation_state(i) = 'pending';
  perform public.end_invitations(organization, address, 'replaced');
  insert into public.invitations (uuid, organization_id, invitee_identifier, invited_by, invitee, config)
  select gen_random_uuid(), organization, address,
         (select m.user_id from public.memberships m join public.users b on b.id = m.user_id
           where m.organization_id = organization and b.is_active and m.role in ('owner', 'admin')
           order by (m.user_id = p_request.creator_id) is true desc, m.role = 'owner' desc, m.joined,
                    m.user_id
           limit 1),
         p_user_id, coalesce(config, '{"group": [], "site": []}')
  returning * into invitation;
  return invitation;
end $$;
