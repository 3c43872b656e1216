-- As public.enter, for a caller who shows an API key: its user, as long as the key has not ended, and in its own site alone.
create or replace function public.enter_with_key(
  p_host text, p_slug text, p_caller public.caller, p_hash text, p_permission text,
  p_schema_version integer, p_site bigint, p_catalog bigint, p_mode text, p_timeout_ms integer,
  out site_id bigint, out catalog_version bigint
) language plpgsql as $$
declare
  key public.api_keys;
begin
  select k.* into key from public.api_keys k where k.hash = p_hash and (k.expires_at is null or k.expires_at > now());
  if not found then
    raise sqlstate 'TS401' using message = 'no such key';
  end if;
  select e.site_id, e.catalog_version into enter_with_key.site_id, enter_with_key.catalog_version
    from public.enter(p_host, p_slug, row(key.user_id, key.generation, null, null, p_caller.request_id, p_caller.address)::public.caller, p_permission,
                      p_schema_version, p_site, p_catalog, p_mode, p_timeout_ms) e;
  if enter_with_key.site_id <> key.site_id then
    raise sqlstate 'TS401' using message = 'the key is for another site';
  end if;
end $$;
