-- Creates an account of an organization for its directory. p_said: see public.note_scim_user; it has the user
-- name, the e-mail address and is_active. The result is in outcome:
--   made   an account without a password and its membership were made; or, if somebody has an account with
--          the address, an invitation was made, and the data of the directory is kept until it is accepted
--   asks   nothing was made yet: the caller runs the functions in listeners, which get the name in username,
--          and then calls again with that name as p_username. E2.
-- invitation and first_password: the e-mail to send. Raises the errors of public.require_free_names. Called
-- by src/identity/scim.
create or replace function public.create_scim_user(
  p_request public.scim_request, p_said jsonb, p_username text,
  out outcome text, out id bigint, out username text, out listeners json, out invitation_id bigint,
  out mail_version integer, out first_password uuid
) language plpgsql as $$
declare
  organization constant bigint := p_request.organization_id;
  email constant text := p_said ->> 'email';
  is_active constant boolean := (p_said ->> 'is_active')::boolean;
  invitation public.invitations;
  account public.users;
begin
  perform from public.organizations o where o.id = organization for no key update;
  perform public.require_free_names(organization, 0, p_said ->> 'user_name', email);
  perform public.take_address(email);
  if p_username is null and not exists (
    select from public.users u
     where lower(u.email) = lower(p_said ->> 'email') and not public.is_placeholder(u)) then
    select json_agg(l) into create_scim_user.listeners
      from public.account_listeners('PRE_USER_CREATE', p_request.host, p_request.slug, array[organization]) l;
    if listeners is not null then
      outcome := 'asks';
      username := public.placeholder_name(email);
      return;
    end if;
  end if;
  outcome := 'made';
  perform public.release_address(email);
  select u.* into account from public.users u where lower(u.email) = lower(p_said ->> 'email') for key share;
  id := account.id;
  if found then
    perform public.note_scim_user(organization, id, p_said);
    if is_active then
      invitation := public.invite_scim_user(p_request, id);
      invitation_id := invitation.id;
      mail_version := invitation.mail_version;
    end if;
    return;
  end if;
  insert into public.users (username, email, is_active, first_name, last_name)
  values (case when p_username is null or public.is_name_taken(p_username)
               then public.placeholder_name(email) else p_username end,
          email, is_active, coalesce(p_said ->> 'given_name', ''), coalesce(p_said ->> 'family_name', ''))
  returning * into account;
  id := account.id;
  insert into public.made_accounts (user_id, organization_id) values (id, organization);
  insert into public.memberships (organization_id, user_id, role, joined_by)
  values (organization, id, 'member', 'directory');
  perform public.note_scim_user(organization, id, p_said);
  perform public.announce_account(
    'POST_USER_CREATE', p_request.host, p_request.slug, null, account, 'created');
  first_password := public.request_first_password(account, organization);
end $$;
