-- Returns what is stored about the credentials of a caller's account, as JSON by kind, without hashes, tokens
-- and keys. Called by public.export_account.
create or replace function public.export_credentials(
  p_caller public.caller, out api_keys json, out providers json, out second_factors json, out passkeys json,
  out trusted_devices json, out sign_ins json
) language sql stable as $$
  select (
      select coalesce(json_agg(json_build_object(
               'site', s.slug, 'name', k.name, 'prefix', k.prefix, 'scopes', k.scopes,
               'created_at', public.iso_timestamp(k.created_at),
               'expires_at', public.iso_timestamp(k.expires_at),
               'last_used_at', public.iso_timestamp(k.last_used_at))
               order by k.id), '[]')
        from public.api_keys k join public.sites s on s.id = k.site_id
       where k.user_id = p_caller.id), (
      select coalesce(json_agg(json_build_object(
               'site', p.site, 'organization', p.organization, 'provider', p.provider, 'name', p.name,
               'created', public.iso_timestamp(p.created), 'last_login', public.iso_timestamp(p.last_login))
               order by p.id), '[]')
        from public.own_providers(p_caller.id) p),
    json_build_object(
      'totp', (select public.iso_timestamp(t.confirmed_at) from public.totp_secrets t
                where t.user_id = p_caller.id),
      'recovery_codes', (select count(*) from public.recovery_codes r where r.user_id = p_caller.id)), (
      select coalesce(json_agg(json_build_object(
               'name', k.name, 'host', k.rp_id, 'created', public.iso_timestamp(k.created),
               'last_used_at', public.iso_timestamp(k.last_used_at)) order by k.id), '[]')
        from public.passkeys k where k.user_id = p_caller.id), (
      select coalesce(json_agg(json_build_object(
               'device', t.device, 'country', t.country, 'created', public.iso_timestamp(t.created),
               'last_used_at', public.iso_timestamp(t.last_used_at),
               'expires_at', public.iso_timestamp(t.expires_at)) order by t.id), '[]')
        from public.trusted_devices t where t.user_id = p_caller.id), (
      select coalesce(json_agg(json_build_object(
               'device', f.device, 'country', f.country, 'created', public.iso_timestamp(f.created),
               'last_used_at', public.iso_timestamp(f.last_used_at),
               'is_open', f.revoked_at is null and f.expires_at > now()
                          and f.generation = p_caller.generation) order by f.created, f.id), '[]')
        from public.refresh_families f
       where f.user_id = p_caller.id)
$$;
