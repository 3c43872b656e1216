-- Changes the role of a member. Raises the errors of public.guard_member. Refuses (TS403) a caller who makes
-- the member an owner, and is neither an owner nor a superuser. Called by src/organizations.
create or replace function public.change_role(
  p_organization_id bigint, p_caller_id bigint, p_user_id bigint, p_role text
) returns void
language plpgsql as $$
begin
  perform public.guard_member(p_organization_id, p_caller_id, p_user_id, p_role = 'owner');
  if p_role = 'owner' and not public.may_change_owners(p_organization_id, p_caller_id) then
    raise sqlstate 'TS403' using message = 'only an owner may make an owner';
  end if;
  update public.memberships set role = p_role
   where organization_id = p_organization_id and user_id = p_user_id;
end $$;
