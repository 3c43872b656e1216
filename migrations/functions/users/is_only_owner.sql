-- Returns whether an account is the only owner of an organization, or the only one who can sign in. Called by
-- public.plan_deletion, public.delete_planned_accounts, public.leave_others and src/identity/users.
create or replace function public.is_only_owner(p_user_id bigint) returns boolean stable
language sql as $$
  select exists (
    select from public.memberships m join public.users u on u.id = m.user_id
     where m.user_id = p_user_id and m.role = 'owner'
       and not exists (select from public.memberships o join public.users x on x.id = o.user_id
                        where o.organization_id = m.organization_id and o.role = 'owner'
                          and o.user_id <> m.user_id and (x.is_active or not u.is_active)))
$$;
