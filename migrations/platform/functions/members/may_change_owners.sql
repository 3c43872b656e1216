-- Returns whether a caller is an owner of the organization or a superuser. Called by public.change_role,
-- public.guard_member and public.scim_account.
create or replace function public.may_change_owners(p_organization_id bigint, p_caller_id bigint)
returns boolean stable
language sql as $$
  select exists (
           select from public.memberships m
            where m.organization_id = p_organization_id and m.user_id = p_caller_id and m.role = 'owner')
      or exists (select from public.users u where u.id = p_caller_id and u.is_superuser)
$$;
