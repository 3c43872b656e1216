-- Returns whether a caller may replace the roles p_before of a person in a site by p_after: every role that
-- is given or taken away must be one that the caller has there. Whoever holds admin_site may give and take
-- all. X2. It does not check that the caller may manage people: public.enter_site does. Called by
-- public.end_person and src/identity/organizations.
create or replace function public.gives_roles(
  p_site_id bigint, p_caller_id bigint, p_before text[], p_after text[]
) returns boolean stable
language sql as $$
  select exists (
    select from public.sites s
      join public.users u on u.id = p_caller_id
      left join public.memberships m on m.organization_id = s.organization_id and m.user_id = u.id
      left join public.site_permissions p on p.site_id = s.id and p.user_id = u.id
     where s.id = p_site_id
       and ('admin_site' = any (public.held_permissions(
              null, s.organization_id, u.is_superuser, m.role, p.permissions))
            or not exists (
              select from unnest(p_before || p_after) x (name)
               where (x.name = any (p_before)) <> (x.name = any (p_after))
                 and x.name <> all (public.roles_of(
                       s.roles, p.roles, public.groups_of(s.organization_id, u.id))))))
$$;
