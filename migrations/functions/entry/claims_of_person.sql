-- Returns the claims (public.claims_of) about a person of a site that access rules use. Null: the person
-- holds access_site there, and is not a guest. Refuses (TS431) an account that is not a person of the site:
-- it is not active, or is a superuser's, or is none of public.people_of. Any account can be given a
-- permission without its consent, so a permission alone tells neither the e-mail address nor the UUID of
-- the account (public.knows_person). Called by public.explain_as and public.enter_viewing.
create or replace function public.claims_of_person(p_site_id bigint, p_user_id bigint) returns jsonb stable
language plpgsql as $$
declare
  claims jsonb;
begin
  if not exists (
    select from public.users u
     where u.id = p_user_id and u.is_active and not u.is_superuser
       and exists (select from public.people_of(p_site_id) x where x.user_id = p_user_id))
  then
    raise sqlstate 'TS431' using message = 'no such person of the site';
  end if;
  claims := public.claims_of(
    p_site_id, row(p_user_id, null, null, null, null, null, null, null, null)::public.caller);
  if not public.knows_person((select s.organization_id from public.sites s where s.id = p_site_id), p_user_id)
  then
    claims := claims || '{"uuid": null, "email": null}';
  end if;
  return claims;
end $$;
