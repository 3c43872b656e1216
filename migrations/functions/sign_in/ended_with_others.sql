-- Returns whether the sign-in p_sign_in has ended because the owner of the account has ended all other
-- sign-ins since p_since. The request came from another sign-in: one of the platform, which ends all, or one
-- through a provider of p_organization_id, which ends those through its providers. Called by
-- public.note_sign_in and public.rotate_refresh.
create or replace function public.ended_with_others(
  p_account public.users, p_sign_in uuid, p_organization_id bigint, p_since timestamptz
) returns boolean stable
language sql as $$
  select p_account.sign_ins_ended ->> 'by' is distinct from p_sign_in::text
     and coalesce(greatest((p_account.sign_ins_ended ->> 'all')::timestamptz,
                           (p_account.sign_ins_ended ->> p_organization_id::text)::timestamptz) >= p_since,
                  false)
$$;
