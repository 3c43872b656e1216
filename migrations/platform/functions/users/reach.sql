-- How far a caller reaches into an account.
--   none     the caller does not see it
--   seen     it is a member of an organization that the caller manages
--   managed  and has no tie of any kind to another one, and is no superuser. Superusers manage all accounts.
create or replace function public.reach(p_caller public.caller, p_user bigint) returns text stable
language sql as $$
  select case
    when (select c.is_superuser from public.users c where c.id = p_caller.id) then 'managed'
    when not exists (select from public.memberships m join public.managed_by(p_caller) o on o.organization_id = m.organization_id
                      where m.user_id = p_user) then 'none'
    when (select u.is_superuser from public.users u where u.id = p_user)
      or exists (select from public.ties(p_user) t where t.organization_id not in (select o.organization_id from public.managed_by(p_caller) o))
      then 'seen'
    else 'managed'
  end
$$;
