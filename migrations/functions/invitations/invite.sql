-- Invites an address to an organization. I3, I8. The result is in outcome:
--   made     the invitation was made; is_replaced: it replaces one that was pending
--   member   the address belongs to a member; nothing was changed
--   asks     an account must be made first. Nothing was made yet: the caller runs the functions in listeners,
--            which get the name in username, and then calls again with that name as p_username. This call
--            makes the account and the invitation. E2.
-- p_host and p_slug: the host and the slug by which the request names its site. Called by
-- src/identity/invitations.
create or replace function public.invite(
  p_invitation public.new_invitation, p_host text, p_slug text, p_username text,
  out outcome text, out username text, out listeners json, out is_replaced boolean
) language plpgsql as $$
declare
  email constant text := p_invitation.email;
  is_new boolean;
  organization constant bigint := (
    select o.id from public.organizations o where o.slug = p_invitation.organization);
  account public.users;
begin
  perform public.take_address(email);
  is_new := not exists (select from public.users u where lower(u.email) = lower(p_invitation.email));
  if p_username is null and is_new then
    select json_agg(l) into invite.listeners
      from public.account_listeners('PRE_USER_CREATE', p_host, p_slug, array[organization]) l;
    if listeners is not null then
      outcome := 'asks';
      username := public.placeholder_name(email);
      return;
    end if;
  end if;
  account := public.account_at(email, p_username);
  if exists (select from public.memberships m
              where m.organization_id = organization and m.user_id = account.id) then
    outcome := 'member';
    return;
  end if;
  is_replaced := public.end_invitations(organization, email, 'replaced');
  insert into public.invitations (uuid, organization_id, invitee_identifier, invited_by, invitee, config)
  values (p_invitation.uuid, organization, email, p_invitation.inviter_id, account.id, p_invitation.config);
  if is_new then
    perform public.announce_account(
      'POST_USER_CREATE', p_host, p_slug, p_invitation.inviter_id, account, 'invited');
  end if;
  outcome := 'made';
end $$;
