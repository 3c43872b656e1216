-- Changes an account of an organization for its directory. p_said: see public.note_scim_user; is_active
-- begins or ends the membership. The account itself changes only if the organization manages it, and its
-- activity only if the organization may end it (public.scim_account). T7, T11. Otherwise only the
-- organization's own data about it changes. first_password and invitation_id: the e-mail to send. Raises the
-- errors of public.scim_account, public.require_free_names and public.keep_an_owner. Called by
-- src/identity/scim.
create or replace function public.change_scim_user(
  p_request public.scim_request, p_user_id bigint, p_said jsonb,
  out invitation_id bigint, out mail_version integer, out first_password uuid
) language plpgsql as $$
declare
  organization constant bigint := p_request.organization_id;
  was constant record := public.scim_account(p_request, p_user_id);
  becomes constant boolean := coalesce((p_said ->> 'is_active')::boolean, was.is_active);
  invitation public.invitations;
  changed public.users;
begin
  perform public.require_free_names(organization, p_user_id, p_said ->> 'user_name', p_said ->> 'email');
  if was.is_member and was.is_active and not becomes then
    perform public.keep_an_owner(organization, p_user_id);
  end if;
  perform public.note_scim_user(organization, p_user_id, p_said);
  if was.may_end then
    changed := public.change_scim_account(
      p_request, was.account,
      case when was.is_managed then p_said else p_said - array(
        select k from jsonb_object_keys(p_said) k where k <> 'is_active') end);
    if becomes and not was.is_active then
      first_password := public.request_first_password(changed, organization);
    end if;
  elsif was.is_active and not becomes then
    if was.is_member then
      perform public.suspend_scim_user(organization, p_user_id);
    else
      perform public.end_invitations(organization, (was.account).email, 'deactivated');
    end if;
  elsif (p_said ->> 'is_active')::boolean and not was.is_member then
    update public.scim_users x set is_suspended = false
     where x.organization_id = organization and x.user_id = p_user_id and x.is_suspended;
    if found then
      -- The account was a member before, so the person has already agreed to the membership.
      insert into public.memberships (organization_id, user_id, role, joined_by)
      values (organization, p_user_id, 'member', 'directory');
    elsif not was.is_active then
      invitation := public.invite_scim_user(p_request, p_user_id);
      invitation_id := invitation.id;
      mail_version := invitation.mail_version;
    end if;
  end if;
end $$;
