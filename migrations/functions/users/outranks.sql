-- Returns whether an account ranks above a caller: it has a higher role in an organization that both belong
-- to, and the caller is no superuser. T10. p_organization_id: the role in this organization decides, even
-- if the caller is no member of it; null: all organizations. p_caller_id null: nobody, who ranks as a
-- member does. Whoever ranks above the caller cannot be changed, whichever way the caller takes. That a
-- superuser ranks above everybody is for the callers of this function to check. Called by public.reach,
-- public.guard_member, public.require_scim_rank, public.needs_proof, public.end_person and
-- src/identity/organizations.
create or replace function public.outranks(
  p_user_id bigint, p_caller_id bigint, p_organization_id bigint default null
) returns boolean stable
language sql as $$
  select p_user_id is distinct from p_caller_id
     and not exists (select from public.users c where c.id = p_caller_id and c.is_superuser)
     and exists (
       select from public.memberships m
         left join public.memberships c
           on c.organization_id = m.organization_id and c.user_id = p_caller_id
        where m.user_id = p_user_id
          and (m.organization_id = p_organization_id or p_organization_id is null and c.role is not null)
          and public.rank_of(m.role) > public.rank_of(c.role))
$$;
