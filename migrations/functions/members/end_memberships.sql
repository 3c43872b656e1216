-- Removes a person from organizations, their groups, and the permissions and API keys in their sites. Called
-- by public.remove_member and public.leave_others.
create or replace function public.end_memberships(p_user_id bigint, p_organizations bigint[]) returns void
language sql as $$
  delete from public.site_permissions p using public.sites s
   where s.id = p.site_id and s.organization_id = any (p_organizations) and p.user_id = p_user_id;
  delete from public.api_keys k using public.sites s
   where s.id = k.site_id and s.organization_id = any (p_organizations) and k.user_id = p_user_id;
  delete from public.group_members m using public.groups g
   where g.id = m.group_id and g.organization_id = any (p_organizations) and m.user_id = p_user_id;
  delete from public.memberships m where m.organization_id = any (p_organizations) and m.user_id = p_user_id
$$;
