-- Locks an account for a change by the directory of an organization, and returns it as the directory sees it.
-- is_managed: the directory may change everything; may_end: it may switch the account off and on, and delete
-- it (public.reach; T11).
-- Locks the organization first, so that changes of a directory happen one after the other. Refuses: TS443
-- the account is a member and belongs to a superuser, or ranks above the maker of the key
-- (public.require_scim_rank); TS404 the directory does not see the account. Called by
-- public.change_scim_user and public.delete_scim_user.
create or replace function public.scim_account(
  p_request public.scim_request, p_user_id bigint,
  out account public.users, out is_member boolean, out is_active boolean, out is_managed boolean,
  out may_end boolean
) language plpgsql as $$
declare
  organization constant bigint := p_request.organization_id;
begin
  perform from public.organizations o where o.id = organization for no key update;
  perform from public.invitations i
    where i.organization_id = organization and i.invitee = p_user_id and public.is_pending(i) for update;
  select u.* into account from public.users u where u.id = p_user_id for update;
  select s.is_member, s.is_active into scim_account.is_member, scim_account.is_active
    from public.scim_accounts(organization) s where s.id = p_user_id;
  if not found then
    raise sqlstate 'TS404' using message = 'no such account in the organization';
  elsif is_member and account.is_superuser then
    raise sqlstate 'TS443' using message = 'the account is a superuser''s';
  end if;
  perform public.require_scim_rank(p_request, array[p_user_id]);
  is_managed := is_member and not public.is_tied_elsewhere(
    p_user_id, organization, '{member,permission,link,guest,made,pending}');
  may_end := is_member and not public.is_tied_elsewhere(
    p_user_id, organization, '{member,link,guest,made}');
end $$;
