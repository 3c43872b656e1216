-- Removes a member from an organization (public.end_memberships). If somebody else removes the member, the
-- organization no longer opens the account, either (public.end_openings). T11. Raises the errors of
-- public.guard_member. Called by src/identity/organizations and public.suspend_scim_user.
create or replace function public.remove_member(
  p_organization_id bigint, p_caller_id bigint, p_user_id bigint
) returns void
language plpgsql as $$
begin
  perform public.guard_member(p_organization_id, p_caller_id, p_user_id, false);
  perform public.end_memberships(p_user_id, array[p_organization_id]);
  if p_caller_id <> p_user_id then
    perform public.end_openings(p_organization_id, p_user_id);
  end if;
end $$;
