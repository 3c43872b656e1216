-- Locks an organization until the end of the transaction, so that nobody deletes it while it gets a site, and
-- concurrent requests count its sites one after the other. Refuses (TS404) an organization that does not
-- exist, or is deleted. Called by src/identity/organizations.
create or replace function public.hold_organization(p_id bigint) returns void
language plpgsql as $$
begin
  perform from public.organizations o where o.id = p_id and o.deletes_at is null for no key update;
  if not found then
    raise sqlstate 'TS404' using message = 'no such organization, or it is deleted';
  end if;
end $$;
