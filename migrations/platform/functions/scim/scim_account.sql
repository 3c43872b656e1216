-- Locks an account for a change by the directory of an organization, and returns it as the directory sees it.
-- Locks the organization first, so that changes of a directory happen one after the other. Refuses: TS443 the
-- account is a member and belongs to a superuser, or to an owner while the maker of the key is not an owner;
-- TS404 the directory does not see the account. Called by public.change_scim_user and
-- public.delete_scim_user.
create or replace function public.scim_account(
  p_request public.scim_request, p_user_id bigint,
  out account public.users, out is_member boolean, out is_active boolean, out is_managed boolean
) language plpgsql as $$
declare
  organization constant bigint := p_request.organization_id;
begin
  perform from public.organizations o where o.id = organization for no key update;
  perform from public.invitations i
    where i.organization_id = organization and i.invitee = p_user_id and i.accepted_at is null for update;
  select u.* into account from public.users u where u.id = p_user_id for update;
  select s.is_member, s.is_active into scim_account.is_member, scim_account.is_active
    from public.scim_accounts(organization) s where s.id = p_user_id;
  if not found then
    raise sqlstate 'TS404' using message = 'no such account in the organization';
  elsif is_member and (account.is_superuser or exists (
    select from public.memberships m
     where m.organization_id = organization and m.user_id = p_user_id and m.role = 'owner'
       and not public.may_change_owners(organization, coalesce(p_request.creator_id, 0)))) then
    raise sqlstate 'TS443' using message = 'the account is an owner''s or a superuser''s';
  end if;
  is_managed := is_member and not public.is_tied_elsewhere(
    p_user_id, organization, '{member,permission,link,guest,pending}');
end $$;
