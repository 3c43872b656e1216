-- Checks the key of an organization's directory, and names the key as the actor in the audit. p_slug: the
-- organization in the path. p_hash: the hash of the key. p_caller has only the id of the request and its
-- address. Notes when the key was used, to the minute. Refuses: TS401 there is no such key; TS404 the key is
-- not that organization's, whether the organization exists or not. Called by src/kernel/db.
create or replace function public.enter_scim(p_slug text, p_hash text, p_caller public.caller) returns void
language plpgsql as $$
declare
  key public.scim_keys;
begin
  select k.* into key from public.scim_keys k where k.hash = p_hash;
  if not found then
    raise sqlstate 'TS401' using message = 'no such key';
  elsif not exists (
    select from public.organizations o where o.id = key.organization_id and o.slug = p_slug) then
    raise sqlstate 'TS404' using message = 'the key is not that organization''s';
  end if;
  -- Does not wait for another request that notes the same.
  if coalesce(key.last_used_at < now() - interval '1 minute', true) then
    update public.scim_keys k set last_used_at = now()
     where k.id in (select x.id from public.scim_keys x where x.id = key.id for no key update skip locked);
  end if;
  perform public.note_caller(p_caller);
  perform set_config('tessera.actor', format('SCIM key %s (%s)', key.name, key.prefix), true);
end $$;
