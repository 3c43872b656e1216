-- Returns the part of public.claims_of that decides which access rules apply to a caller in a site. Null: the
-- caller holds access_site there. Called by public.enter.
create or replace function public.standing_of(p_site_id bigint, p_caller public.caller) returns jsonb stable
language sql as $$
  select public.claims_of(p_site_id, p_caller) - array['id', 'uuid', 'email']
$$;
