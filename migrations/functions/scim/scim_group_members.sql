-- Returns the accounts in the groups of an organization, as its directory sees them: members, and accounts
-- that get the group when they become members. Called by src/identity/scim.
create or replace function public.scim_group_members(p_organization_id bigint)
returns table (group_id bigint, user_id bigint) stable
language sql as $$
  select m.group_id, m.user_id
    from public.groups g join public.group_members m on m.group_id = g.id
   where g.organization_id = p_organization_id
  union
  select g.id, x.user_id
    from public.scim_users x
    join public.groups g on g.organization_id = x.organization_id and g.id = any (x.held_groups)
   where x.organization_id = p_organization_id
$$;
