-- Locks the row of a site for a schema change until the end of the transaction, and returns the version of
-- its catalog. Waits for the lock for p_timeout_ms at most. Rows that reference the site, such as those of
-- its new guests, do not wait for it. Called by public.enter.
create or replace function public.lock_site(p_site_id bigint, p_timeout_ms integer) returns bigint
language plpgsql as $$
declare
  version bigint;
begin
  perform set_config('lock_timeout', p_timeout_ms::text, true);
  select s.catalog_version into version from public.sites s where s.id = p_site_id for no key update;
  return version;
end $$;
