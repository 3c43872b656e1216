-- Returns the rank of a role in an organization: a higher number is a higher rank. Whoever is no member
-- (null) ranks as a member does. T10. Called by public.outranks and public.change_role.
create or replace function public.rank_of(p_role text) returns integer immutable
language sql as $$
  select coalesce(array_position(array['member', 'admin', 'owner'], p_role), 1)
$$;
