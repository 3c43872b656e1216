-- Returns what is stored about a caller beside the account, as JSON: no hash, token or key. Of what the
-- caller has changed, the newest 10,000 entries of the audit. Called by src/accounts.
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
      select coalesce(json_agg(json_build_object('site', s.slug, 'permissions', p.permissions)
                               order by s.slug), '[]')
        from public.site_permissions p join public.sites s on s.id = p.site_id
       where p.user_id = p_caller.id),
    'api_keys', (
      select coalesce(json_agg(json_build_object(
               'site', s.slug, 'name', k.name, 'prefix', k.prefix, 'scopes', k.scopes,
               'created_at', public.iso_timestamp(k.created_at),
               'expires_at', public.iso_timestamp(k.expires_at),
               'last_used_at', public.iso_timestamp(k.last_used_at))
               order by k.id), '[]')
        from public.api_keys k join public.sites s on s.id = k.site_id
       where k.user_id = p_caller.id),
    'providers', (
      select coalesce(json_agg(json_build_object(
               'site', p.site, 'organization', p.organization, 'provider', p.provider, 'name', p.name,
               'created', public.iso_timestamp(p.created), 'last_login', public.iso_timestamp(p.last_login))
               order by p.id), '[]')
        from public.own_providers(p_caller.id) p),
    'second_factors', json_build_object(
      'totp', (select public.iso_timestamp(t.confirmed_at) from public.totp_secrets t
                where t.user_id = p_caller.id),
      'recovery_codes', (select count(*) from public.recovery_codes r where r.user_id = p_caller.id)),
    'passkeys', (
      select coalesce(json_agg(json_build_object(
               'name', k.name, 'host', k.rp_id, 'created', public.iso_timestamp(k.created),
               'last_used_at', public.iso_timestamp(k.last_used_at)) order by k.id), '[]')
        from public.passkeys k where k.user_id = p_caller.id),
    'trusted_devices', (
      select coalesce(json_agg(json_build_object(
               'device', t.device, 'country', t.country, 'created', public.iso_timestamp(t.created),
               'last_used_at', public.iso_timestamp(t.last_used_at),
               'expires_at', public.iso_timestamp(t.expires_at)) order by t.id), '[]')
        from public.trusted_devices t where t.user_id = p_caller.id),
    'sign_ins', (
      select coalesce(json_agg(json_build_object(
               'device', f.device, 'country', f.country, 'created', public.iso_timestamp(f.created),
               'last_used_at', public.iso_timestamp(f.last_used_at),
               'is_open', f.revoked_at is null and f.expires_at > now()
                          and f.generation = p_caller.generation) order by f.created, f.id), '[]')
        from public.refresh_families f
       where f.user_id = p_caller.id),
    'invitations', (
      select coalesce(json_agg(json_build_object(
               'organization', o.slug, 'address', i.invitee_identifier,
               'created', public.iso_timestamp(i.created),
               'accepted_at', public.iso_timestamp(i.accepted_at)) order by i.id), '[]')
        from public.invitations i join public.organizations o on o.id = i.organization_id
       where i.invitee = p_caller.id),
    'changes', (
      select coalesce(json_agg(json_build_object(
               'at', public.iso_timestamp(a.at), 'address', a.address, 'kind', a.kind, 'action', a.action,
               'object', a.object)
               order by a.id), '[]')
        from (select e.* from public.audit_entries e where e.actor_id = p_caller.id
               order by e.id desc limit 10000) a))
$$;
