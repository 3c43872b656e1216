-- Removes a member from an organization, its groups, and the permissions in its sites. Raises the errors of
-- public.guard_member. Called by src/organizations and public.suspend_scim_user.
create or replace function public.remove_member(
  p_organization_id bigint, p_caller_id bigint, p_user_id bigint
) returns void
language plpgsql as $$
begin
  perform public.guard_member(p_organization_id, p_caller_id, p_user_id, false);
  perform public.end_memberships(p_user_id, array[p_organization_id]);
end $$;
