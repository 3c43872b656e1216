-- Locks the organizations that an account owns. Every change of owners takes this lock first, so that two
-- changes cannot together leave an organization without an owner. Called by public.plan_deletion,
-- public.delete_planned_accounts, public.leave_others and src/identity/users.
create or replace function public.lock_owned(p_user_id bigint) returns void
language sql as $$
  select from public.organizations o
   where o.id in (select m.organization_id from public.memberships m
                   where m.user_id = p_user_id and m.role = 'owner')
   order by o.id for update
$$;
