-- Enters the site of a request, as public.enter does, for the user of an API key. p_caller has the ids of the
-- request and its address only. Notes when the key was used, to the minute.
--
-- Raises the errors of public.enter, and: TS401 the key does not exist, has expired, belongs to another site,
-- or is not accepted by the operation (with the detail 'needs scopes', 'has scopes' or 'not accepted'); TS403
-- the key may not be used from this address (with the detail 'address'); TS426 the statements were not
-- planned for the scopes of the key, with its revision and scopes as the detail. Called by src/kernel/db.
create or replace function public.enter_with_key(
  p_host text, p_slug text, p_caller public.caller, p_key public.presented_key, p_permission text,
  p_visit public.visit
) returns public.entered
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  entered public.entered;
  key public.api_keys;
  key_user public.caller;
begin
  select k.* into key from public.api_keys k
   where k.hash = p_key.hash and (k.expires_at is null or k.expires_at > now());
  if not found then
    raise sqlstate 'TS401' using message = 'no such key';
  end if;
  if key.scopes is null and not p_key.plain or key.scopes is not null and not p_key.scoped then
    raise sqlstate 'TS401' using message = 'the operation does not accept the key',
      detail = case when key.scopes is null and p_key.scoped then 'needs scopes'
                    when key.scopes is not null and p_key.plain then 'has scopes'
                    else 'not accepted' end;
  end if;
  if key.allowed_addresses is not null
     and not exists (select from unnest(key.allowed_addresses) a (network)
                      where p_key.address::inet <<= a.network::inet) then
    raise sqlstate 'TS403' using message = 'the key is not for this address', detail = 'address';
  end if;
  -- Written before public.enter makes the transaction read-only. It does not wait for another request that
  -- notes the same.
  if coalesce(key.last_used_at < now() - interval '1 minute', true) then
    update public.api_keys k set last_used_at = now()
     where k.id in (select x.id from public.api_keys x where x.id = key.id for no key update skip locked);
  end if;
  key_user := row(key.user_id, key.generation, null, null, p_caller.request_id, p_caller.address, null, null,
                  p_caller.client_request_id);
  entered := public.enter(p_host, p_slug, key_user, p_permission, p_visit);
  if entered.site_id <> key.site_id then
    raise sqlstate 'TS401' using message = 'the key is for another site';
  end if;
  if key.scopes is not null and key.revision is distinct from p_key.revision then
    raise sqlstate 'TS426' using message = 'the scopes of the key are others',
      detail = json_build_object('revision', key.revision, 'scopes', key.scopes)::text;
  end if;
  return entered;
end $$;
