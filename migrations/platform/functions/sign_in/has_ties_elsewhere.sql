-- Whether an account has to do with other organizations than this one: as a member, or by permissions in a site.
create or replace function public.has_ties_elsewhere(p_user bigint, p_organization bigint) returns boolean stable
language sql as $$
  select exists (select from public.memberships m where m.user_id = p_user and m.organization_id <> p_organization)
      or exists (select from public.site_permissions p join public.sites s on s.id = p.site_id
                  where p.user_id = p_user and s.organization_id <> p_organization and p.permissions <> '{}')
$$;
