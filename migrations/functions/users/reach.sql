-- Returns what a caller may do with an account as a manager:
--   none     nothing: the account is not a member of an organization that the caller manages
--   seen     read it: the account is a member of one, but ranks above the caller (public.outranks; T10),
--            belongs to a superuser, or has a tie to another organization that its person has made, or whose
--            organization made the account
--   ending   end it: switch it off and on, and delete it. It has other ties to other organizations, which
--            anybody can make. T11
--   managed  change it: none of these is so, or the caller is a superuser
-- Called by src/identity/users.
create or replace function public.reach(p_caller public.caller, p_user_id bigint) returns text stable
language sql as $$
  select case
    when (select c.is_superuser from public.users c where c.id = p_caller.id) then 'managed'
    when not exists (select from public.memberships m
                       join public.managed_by(p_caller) o on o.organization_id = m.organization_id
                      where m.user_id = p_user_id) then 'none'
    when (select u.is_superuser from public.users u where u.id = p_user_id)
      or public.outranks(p_user_id, p_caller.id) then 'seen'
    else (
      select case when bool_or(t.kind in ('member', 'link', 'guest', 'made')) then 'seen'
                  when count(*) > 0 then 'ending' else 'managed' end
        from public.ties(p_user_id) t
       where t.organization_id not in (select o.organization_id from public.managed_by(p_caller) o))
  end
$$;
