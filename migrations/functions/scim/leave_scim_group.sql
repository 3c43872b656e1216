-- Removes accounts from a group of an organization for its directory. Refuses (TS443) a member of the group
-- who ranks above the maker of the key (public.require_scim_rank). Called by src/identity/scim.
create or replace function public.leave_scim_group(
  p_request public.scim_request, p_group_id bigint, p_user_ids bigint[]
) returns void
language sql as $$
  select public.require_scim_rank(p_request, array(
    select m.user_id from public.group_members m
     where m.group_id = p_group_id and m.user_id = any (p_user_ids)));
  delete from public.group_members m using public.groups g
   where g.id = m.group_id and g.organization_id = p_request.organization_id
     and m.group_id = p_group_id and m.user_id = any (p_user_ids);
  update public.scim_users x set held_groups = array_remove(x.held_groups, p_group_id)
   where x.organization_id = p_request.organization_id and x.user_id = any (p_user_ids)
$$;
