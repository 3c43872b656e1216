-- Removes a member from an organization, its groups, and the permissions in its sites. Raises the errors of
-- public.guard_member. Called by src/organizations and public.suspend_scim_user.
create or replace function public.remove_member(
  p_organization_id bigint, p_caller_id bigint, p_user_id bigint
) returns void
language plpgsql as $$
begin
  perform public.guard_member(p_organization_id, p_caller_id, p_user_id, false);
  delete from public.site_permissions p using public.sites s
   where s.id = p.site_id and s.organization_id = p_organization_id and p.user_id = p_user_id;
  delete from public.group_members m using public.groups g
   where g.id = m.group_id and g.organization_id = p_organization_id and m.user_id = p_user_id;
  delete from public.memberships where organization_id = p_organization_id and user_id = p_user_id;
end $$;
