-- Returns whether a caller owns an organization, or is a superuser (p_is_superuser). A sign-in by the
-- provider of another organization does not count. Called by public.set_site_state and
-- public.set_organization_state.
create or replace function public.owns_organization(
  p_caller public.caller, p_is_superuser boolean, p_organization_id bigint
) returns boolean stable
language sql as $$
  select coalesce(p_caller.organization_id = p_organization_id, true)
     and (p_is_superuser or exists (
       select from public.memberships m
        where m.organization_id = p_organization_id and m.user_id = p_caller.id and m.role = 'owner'))
$$;
