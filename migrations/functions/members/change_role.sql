-- Changes the role of a member. Raises the errors of public.guard_member. Refuses (TS403) a caller who gives
-- a rank above the caller's own, and is no superuser. T10. Called by src/identity/organizations.
create or replace function public.change_role(
  p_organization_id bigint, p_caller_id bigint, p_user_id bigint, p_role text
) returns void
language plpgsql as $$
begin
  perform public.guard_member(p_organization_id, p_caller_id, p_user_id, p_role = 'owner');
  if not exists (
    select from public.users c
      left join public.memberships m on m.user_id = c.id and m.organization_id = p_organization_id
     where c.id = p_caller_id
       and (c.is_superuser or public.rank_of(m.role) >= public.rank_of(p_role))) then
    raise sqlstate 'TS403' using message = 'nobody gives a rank above their own';
  end if;
  update public.memberships set role = p_role
   where organization_id = p_organization_id and user_id = p_user_id;
end $$;
