-- Checks that a caller may change or remove a member, and locks the organization, so that two concurrent
-- changes cannot remove the last owner. p_stays_owner: the member is an owner after the change. Refuses:
-- TS400 the last owner, or the last one who can sign in, would go; TS403 the member ranks above the caller
-- (public.outranks); TS404 there is no such member. Called by public.change_role and public.remove_member.
create or replace function public.guard_member(
  p_organization_id bigint, p_caller_id bigint, p_user_id bigint, p_stays_owner boolean
) returns void
language plpgsql as $$
declare
  present_role text;
begin
  perform from public.organizations o where o.id = p_organization_id for update;
  select m.role into present_role from public.memberships m
   where m.organization_id = p_organization_id and m.user_id = p_user_id;
  if not found then
    raise sqlstate 'TS404' using message = 'no such member', detail = 'member';
  end if;
  if public.outranks(p_user_id, p_caller_id, p_organization_id) then
    raise sqlstate 'TS403' using message = 'the member ranks above the caller';
  end if;
  if present_role = 'owner' and not p_stays_owner and not exists (
    select from public.memberships m
      join public.users o on o.id = m.user_id
      join public.users u on u.id = p_user_id
     where m.organization_id = p_organization_id and m.user_id <> p_user_id and m.role = 'owner'
       and (o.is_active or not u.is_active)
  ) then
    raise sqlstate 'TS400' using message = 'the last owner';
  end if;
end $$;
