-- Ends a membership for the directory of an organization, and what came with it: permissions in sites, API
-- keys for them, and sign-ins by a provider of the organization. Keeps the groups, in case the directory
-- restores the membership. Called by public.change_scim_user and public.delete_scim_user.
create or replace function public.suspend_scim_user(p_organization_id bigint, p_user_id bigint) returns void
language sql as $$
  update public.scim_users x
     set is_suspended = true,
         held_groups = array(select g.id from public.group_members m join public.groups g on g.id = m.group_id
                              where m.user_id = p_user_id and g.organization_id = p_organization_id)
   where x.organization_id = p_organization_id and x.user_id = p_user_id;
  update public.refresh_families f set revoked_at = now()
   where f.user_id = p_user_id and f.organization_id = p_organization_id and f.revoked_at is null;
  select public.remove_member(p_organization_id, p_user_id, p_user_id)
$$;
