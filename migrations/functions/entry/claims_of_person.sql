-- Returns the claims (public.claims_of) about a person of a site that access rules use. Null: the person
-- holds access_site there, and is not a guest. Refuses (TS431) an account that is not a person of the site:
-- it is not active, or is a superuser's, or has no membership in the site's organization, no permission in
-- the site, no link to one of its providers, and has never used the site. Any account can be given a
-- permission without its consent, so a permission alone tells neither the e-mail address nor the UUID of
-- the account (public.knows_person). Called by public.explain_as and public.enter_viewing.
create or replace function public.claims_of_person(p_site_id bigint, p_user_id bigint) returns jsonb stable
language plpgsql as $$
declare
  claims jsonb;
begin
  if not exists (
    select from public.users u join public.sites s on s.id = p_site_id
     where u.id = p_user_id and u.is_active and not u.is_superuser
       and (exists (select from public.memberships m
                     where m.user_id = u.id and m.organization_id = s.organization_id)
            or exists (select from public.site_permissions p
                        where p.user_id = u.id and p.site_id = s.id and p.permissions <> '{}')
            or exists (select from public.site_guests g where g.user_id = u.id and g.site_id = s.id)
            or exists (select from public.social_accounts a where a.user_id = u.id and a.site_id = s.id)))
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
