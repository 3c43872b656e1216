-- Returns whether an account belongs to the site that a request names, or to its organization, and lacks the
-- second factor that one of them requires: whether public.enter refuses it with TS434. Called by
-- src/identity/login.
create or replace function public.lacks_required_factor(p_host text, p_slug text, p_user_id bigint)
returns boolean stable
language sql as $$
  select exists (
    select from public.sites s
      join public.organizations o on o.id = s.organization_id
      join public.users u on u.id = p_user_id
      left join public.memberships m on m.user_id = u.id and m.organization_id = o.id
      left join public.site_permissions p on p.user_id = u.id and p.site_id = s.id
     where s.slug = public.site_at(p_host, p_slug) and (s.requires_factor or o.requires_factor)
       and (u.is_superuser or m.role is not null or p.permissions <> '{}' or p.roles <> '{}')
       and not public.has_factor(u.id))
$$;
