-- With the membership go the groups and the permissions in the organization's sites.
create or replace function public.remove_member(p_organization bigint, p_caller bigint, p_user bigint) returns void
language plpgsql as $$
begin
  perform public.guard_member(p_organization, p_caller, p_user, false);
  delete from public.site_permissions p using public.sites s
   where s.id = p.site_id and s.organization_id = p_organization and p.user_id = p_user;
  delete from public.group_members g using public.groups o
   where o.id = g.group_id and o.organization_id = p_organization and g.user_id = p_user;
  delete from public.memberships where organization_id = p_organization and user_id = p_user;
end $$;
