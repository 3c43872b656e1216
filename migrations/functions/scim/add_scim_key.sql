-- Adds a key for the directory of an organization, and returns its id. An organization has at most five; the
-- lock on the organization makes concurrent requests count one after the other. Refuses (TS440) a sixth key.
-- Called by src/identity/scim.
create or replace function public.add_scim_key(
  p_organization_id bigint, p_creator_id bigint, p_name text, p_prefix text, p_hash text
) returns bigint
language plpgsql as $$
declare
  key_id bigint;
begin
  perform from public.organizations o where o.id = p_organization_id for no key update;
  if (select count(*) >= 5 from public.scim_keys k where k.organization_id = p_organization_id) then
    raise sqlstate 'TS440' using message = 'the organization has five keys';
  end if;
  insert into public.scim_keys (organization_id, name, prefix, hash, created_by)
  values (p_organization_id, p_name, p_prefix, p_hash, p_creator_id)
  returning id into key_id;
  return key_id;
end $$;
