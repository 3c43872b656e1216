-- Returns the data that is stored about a caller outside the row of the account, as JSON, without hashes,
-- tokens and keys. It contains the newest 10,000 audit entries of the caller's own changes. Called by
-- src/identity/accounts.
create or replace function public.export_account(p_caller public.caller) returns json stable
language sql as $$
  select json_build_object(
    'memberships', (
      select coalesce(json_agg(json_build_object(
               'organization', o.slug, 'role', m.role, 'joined', public.iso_timestamp(m.joined))
               order by o.slug), '[]')
        from public.memberships m join public.organizations o on o.id = m.organization_id
       where m.user_id = p_caller.id),
    'groups', (
      select coalesce(json_agg(json_build_object('organization', o.slug, 'group', g.name)
                               order by o.slug, g.name), '[]')
        from public.group_members x
        join public.groups g on g.id = x.group_id join public.organizations o on o.id = g.organization_id
       where x.user_id = p_caller.id),
    'permissions', (
      select coalesce(json_agg(json_build_object(
               'site', s.slug, 'permissions', p.permissions, 'roles', p.roles)
                               order by s.slug), '[]')
        from public.site_permissions p join public.sites s on s.id = p.site_id
       where p.user_id = p_caller.id),
    'guest_of', (
      select coalesce(json_agg(json_build_object(
               'site', s.slug, 'since', public.iso_timestamp(x.since),
               'joined_at', public.iso_timestamp(x.joined_at)) order by s.slug), '[]')
        from public.site_guests x join public.sites s on s.id = x.site_id
       where x.user_id = p_caller.id),
    'api_keys', c.api_keys,
    'providers', c.providers,
    'second_factors', c.second_factors,
    'passkeys', c.passkeys,
    'trusted_devices', c.trusted_devices,
    'sign_ins', c.sign_ins,
    'directories', (
      select coalesce(json_agg(json_build_object(
               'organization', o.slug, 'user_name', d.user_name, 'external_id', d.external_id,
               'given_name', d.given_name, 'family_name', d.family_name, 'display_name', d.display_name,
               'email', public.shown_address(d.email), 'preferred_language', d.preferred_language,
               'created', public.iso_timestamp(d.created), 'modified', public.iso_timestamp(d.modified))
               order by o.slug), '[]')
        from public.scim_users d join public.organizations o on o.id = d.organization_id
       where d.user_id = p_caller.id),
    'invitations', (
      select coalesce(json_agg(json_build_object(
               'organization', o.slug, 'address', public.shown_address(i.invitee_identifier),
               'created', public.iso_timestamp(i.created),
               'accepted_at', public.iso_timestamp(i.accepted_at)) order by i.id), '[]')
        from public.invitations i join public.organizations o on o.id = i.organization_id
       where i.invitee = p_caller.id
         -- Who invites an address is for its owner only.
         and (i.accepted_at is not null
              or (select u.email_verified_at from public.users u where u.id = p_caller.id) is not null)),
    'changes', (
      select coalesce(json_agg(json_build_object(
               'at', public.iso_timestamp(a.at), 'address', a.address, 'kind', a.kind, 'action', a.action,
               'object', a.object)
               order by a.id), '[]')
        from (select e.* from public.audit_entries e where e.actor_id = p_caller.id
               order by e.id desc limit 10000) a))
    from public.export_credentials(p_caller) c
$$;
