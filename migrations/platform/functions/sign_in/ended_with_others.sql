-- Returns whether the owner of an account has ended all other sign-ins since p_since, and so the sign-in
-- p_sign_in: the request was not its own, and ended those of the platform, which ends all, or those through
-- the providers of p_organization_id, by one of which this one came. Called by public.note_sign_in and
-- public.rotate_refresh.
create or replace function public.ended_with_others(
  p_account public.users, p_sign_in uuid, p_organization_id bigint, p_since timestamptz
) returns boolean stable
language sql as $$
  select p_account.sign_ins_ended ->> 'by' is distinct from p_sign_in::text
     and coalesce(greatest((p_account.sign_ins_ended ->> 'all')::timestamptz,
                           (p_account.sign_ins_ended ->> p_organization_id::text)::timestamptz) >= p_since,
                  false)
$$;
