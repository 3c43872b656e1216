-- Locks a group of an organization for a change by its directory. Refuses (TS404) a group that it does not
-- have. Called by src/identity/scim.
create or replace function public.require_scim_group(p_organization_id bigint, p_group_id bigint) returns void
language plpgsql as $$
begin
  perform from public.organizations o where o.id = p_organization_id for no key update;
  update public.groups g set modified = now()
   where g.organization_id = p_organization_id and g.id = p_group_id;
  if not found then
    raise sqlstate 'TS404' using message = 'no such group in the organization';
  end if;
end $$;
