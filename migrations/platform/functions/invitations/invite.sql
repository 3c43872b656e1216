-- Invites an address to an organization. I3. What has come of it, outcome says:
--   made     the invitation.
--   member   nothing: the address is that of a member.
--   asks     nothing yet: an account has to be made for it, and `listeners`, functions of PRE_USER_CREATE, run before. Called
--            again with `username`, the name that they were told of, it makes the account and the invitation. E2.
create or replace function public.invite(
  p_uuid uuid, p_organization text, p_caller bigint, p_email text, p_config jsonb, p_host text, p_slug text, p_username text,
  out outcome text, out username text, out listeners json
) language plpgsql as $$
declare
  organization bigint := (select o.id from public.organizations o where o.slug = p_organization);
  account public.users;
begin
  perform public.take_address(p_email);
  if p_username is null and not exists (select from public.users u where lower(u.email) = lower(p_email)) then
    select json_agg(l) into invite.listeners from public.account_listeners('PRE_USER_CREATE', p_host, p_slug, array[organization]) l;
    if listeners is not null then
      outcome := 'asks';
      username := public.placeholder_name(p_email);
      return;
    end if;
  end if;
  account := public.account_at(p_email, p_username);
  if exists (select from public.memberships m where m.organization_id = organization and m.user_id = account.id) then
    outcome := 'member';
    return;
  end if;
  insert into public.invitations (uuid, organization_id, invitee_identifier, invited_by, invitee, config)
  values (p_uuid, organization, p_email, p_caller, account.id, p_config);
  outcome := 'made';
end $$;
