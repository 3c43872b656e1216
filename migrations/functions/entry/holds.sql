-- Returns whether a caller holds a permission in the site that a request names. It does not check that the
-- caller may sign in: public.enter does. Called by src/runtime/functions.
create or replace function public.holds(p_host text, p_slug text, p_caller public.caller, p_permission text)
returns boolean stable
language sql as $$
  select exists (
    select from public.sites s
      join public.users u on u.id = p_caller.id
      left join public.memberships m on m.user_id = u.id and m.organization_id = s.organization_id
      left join public.site_permissions p on p.user_id = u.id and p.site_id = s.id
     where s.slug = public.site_at(p_host, p_slug)
       and p_permission = any (public.held_permissions(
             p_caller.organization_id, s.organization_id, u.is_superuser, m.role, p.permissions)))
$$;
