-- Returns the ties of an account to organizations, by kind. T7, T11. The person has made the ties of a
-- member, a link and a guest. Anybody can make the others, so they do not keep an organization from ending an
-- account (public.reach), except that of the organization that made it.
--   member      the account is a member
--   permission  it holds permissions or has roles in a site of the organization
--   link        a provider of one of its sites can sign in to the account
--   guest       it signed up at a site of the organization, or has used the site's data, with a permission or
--               as a guest; the tie stays when the permission ends
--   made        the organization made the account (POST /api/users/, SCIM)
--   pending     an invitation to its address is pending
-- Called by public.is_tied_elsewhere, public.reach, public.knows_person and public.leave_others.
create or replace function public.ties(p_user_id bigint)
returns table (kind text, organization_id bigint) stable
language sql as $$
  select 'member', m.organization_id from public.memberships m where m.user_id = p_user_id
  union all
  select 'permission', s.organization_id
    from public.site_permissions p join public.sites s on s.id = p.site_id
   where p.user_id = p_user_id and (p.permissions <> '{}' or p.roles <> '{}')
  union all
  select 'link', s.organization_id from public.social_accounts a join public.sites s on s.id = a.site_id
   where a.user_id = p_user_id
  union all
  select 'guest', s.organization_id from public.site_guests g join public.sites s on s.id = g.site_id
   where g.user_id = p_user_id
  union all
  select 'made', a.organization_id from public.made_accounts a where a.user_id = p_user_id
  union all
  select 'pending', i.organization_id from public.invitations i join public.users u on u.id = p_user_id
   where (i.invitee = p_user_id or lower(i.invitee_identifier) = lower(u.email)) and public.is_pending(i)
$$;
