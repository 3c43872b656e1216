-- Deletes an account for the directory of an organization, if the organization may end it; otherwise only its
-- membership, its invitations, and the data of the directory about it. T11. Raises the errors of
-- public.scim_account and public.keep_an_owner. Called by src/identity/scim.
create or replace function public.delete_scim_user(p_request public.scim_request, p_user_id bigint)
returns void
language plpgsql as $$
declare
  organization constant bigint := p_request.organization_id;
  was constant record := public.scim_account(p_request, p_user_id);
begin
  if was.is_member then
    perform public.keep_an_owner(organization, p_user_id);
  end if;
  if was.may_end then
    perform public.announce_account(
      'POST_USER_DELETE', p_request.host, p_request.slug, null, was.account);
    delete from public.users u where u.id = p_user_id;
    return;
  elsif was.is_member then
    perform public.suspend_scim_user(organization, p_user_id);
    perform public.end_openings(organization, p_user_id);
  end if;
  perform public.end_invitations(organization, (was.account).email, 'removed');
  delete from public.scim_users x where x.organization_id = organization and x.user_id = p_user_id;
end $$;
