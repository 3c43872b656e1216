-- Invites an account to an organization for its directory, and returns the invitation. The inviter is the
-- account that made the key if it may still invite; otherwise the organization's first owner. Called by
-- public.create_scim_user and public.change_scim_user.
create or replace function public.invite_scim_user(p_request public.scim_request, p_user_id bigint)
returns public.invitations
language sql as $$
  insert into public.invitations (uuid, organization_id, invitee_identifier, invited_by, invitee, config)
  select gen_random_uuid(), p_request.organization_id, u.email,
         (select m.user_id from public.memberships m join public.users b on b.id = m.user_id
           where m.organization_id = p_request.organization_id and b.is_active
             and m.role in ('owner', 'admin')
           order by (m.user_id = p_request.creator_id) is true desc, m.role = 'owner' desc, m.joined,
                    m.user_id
           limit 1),
         u.id, '{"group": [], "site": []}'
    from public.users u where u.id = p_user_id
  returning *
$$;
