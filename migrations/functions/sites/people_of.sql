-- Returns the people of a site, each once, with what makes them so. X2. kind, of which the first applies:
--   member      of the site's organization, with the role
--   permission  holds permissions in the site
--   sign_up     has signed up at the site, or joined it
--   provider    can sign in through one of its providers
--   role        has roles in the site
--   visit       has used the site's data as a guest, and is no user of the site
-- joined_by: the act of the person itself, as far as one is stored: a sign_up at the site or joining it, an
-- invitation to the organization, a directory of it, or a provider of the site; null: none, others did it.
-- since: from when on, as far as it is known. blocked: the site keeps the person out. is_known: the
-- organization may learn who the account belongs to (public.knows_person). Called by
-- public.claims_of_person, public.end_person, src/identity/accounts, src/identity/organizations and
-- src/operation/mails.
create or replace function public.people_of(p_site_id bigint)
returns table (
  user_id bigint, kind text, joined_by text, role text, permissions text[], roles text[], since timestamptz,
  blocked boolean, is_known boolean
) stable
language sql as $$
  select u.id,
         case when m.role is not null then 'member' when p.permissions <> '{}' then 'permission'
              when g.joined_at is not null then 'sign_up' when l.since is not null then 'provider'
              when p.user_id is not null then 'role' else 'visit' end,
         case when g.joined_at is not null then 'sign_up' when m.joined_by is not null then m.joined_by
              when l.since is not null then 'provider' end,
         m.role, coalesce(p.permissions, '{}'),
         public.roles_of(s.roles, p.roles, public.groups_of(s.organization_id, u.id)),
         coalesce(m.joined, g.joined_at, l.since, g.since), g.blocked_at is not null,
         m.role is not null or l.since is not null or g.user_id is not null
           or public.knows_person(s.organization_id, u.id)
    from public.sites s
    join lateral (
      select x.user_id from public.memberships x where x.organization_id = s.organization_id
      union select x.user_id from public.site_permissions x
             where x.site_id = s.id and (x.permissions <> '{}' or x.roles <> '{}')
      union select x.user_id from public.site_guests x where x.site_id = s.id
      union select x.user_id from public.social_accounts x where x.site_id = s.id) each on true
    join public.users u on u.id = each.user_id
    left join public.memberships m on m.user_id = u.id and m.organization_id = s.organization_id
    left join public.site_permissions p
      on p.user_id = u.id and p.site_id = s.id and (p.permissions <> '{}' or p.roles <> '{}')
    left join public.site_guests g on g.user_id = u.id and g.site_id = s.id
    left join lateral (select min(a.created) as since from public.social_accounts a
                        where a.user_id = u.id and a.site_id = s.id) l on true
   where s.id = p_site_id
$$;
