-- Returns the organizations that a caller manages as owner or admin. A sign-in by an organization's provider
-- counts in that organization only. An organization that requires a second factor is left out if the caller
-- has none. Called by public.reach, public.enter_managers and src/identity/users.
create or replace function public.managed_by(p_caller public.caller)
returns table (organization_id bigint) stable
language sql as $$
  select m.organization_id from public.memberships m
    join public.organizations o on o.id = m.organization_id
   where m.user_id = p_caller.id
     and 'admin_site' = any (public.held_permissions(
           p_caller.organization_id, m.organization_id, false, m.role, null))
     and (not o.requires_factor or public.has_factor(m.user_id))
$$;
