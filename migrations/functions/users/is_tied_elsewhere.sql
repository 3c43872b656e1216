-- Returns whether an account is tied to another organization than this one by a tie of one of the kinds
-- (public.ties). Called by public.require_own_sign_in, public.sign_in_socially, public.needs_proof and
-- public.scim_account.
create or replace function public.is_tied_elsewhere(
  p_user_id bigint, p_organization_id bigint, p_kinds text[]
) returns boolean stable
language sql as $$
  select exists (select from public.ties(p_user_id) t
                  where t.kind = any (p_kinds) and t.organization_id <> p_organization_id)
$$;
