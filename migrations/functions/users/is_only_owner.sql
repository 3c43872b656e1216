-- Returns whether an account is the only owner of an organization. Called by public.plan_deletion,
-- public.delete_planned_accounts, public.leave_others and src/identity/users.
create or replace function public.is_only_owner(p_user_id bigint) returns boolean stable
language sql as $$
  select exists (
    select from public.memberships m
     where m.user_id = p_user_id and m.role = 'owner'
       and not exists (select from public.memberships o
                        where o.organization_id = m.organization_id and o.role = 'owner'
                          and o.user_id <> m.user_id))
$$;
