-- Locks the schema of a site for a schema change until the end of the transaction, and returns the version of
-- its catalog. p_timeout_ms: the timeout of statements. Gives up waiting some seconds before, and refuses
-- (TS435). The lock is that of a row that only schema changes take: readers and writers do not wait for it,
-- nor do new datasources and tables without a physical table. Called by public.enter and public.hold_catalog.
create or replace function public.lock_site(p_site_id bigint, p_timeout_ms integer) returns bigint
language plpgsql as $$
begin
  perform set_config('lock_timeout', (p_timeout_ms - p_timeout_ms / 6)::text, true);
  begin
    perform tessera.hold_lock(p_site_id, 'schema');
  exception when lock_not_available then
    raise sqlstate 'TS435' using message = 'another schema change of the site is running';
  end;
  perform set_config('lock_timeout', p_timeout_ms::text, true);
  return (select s.catalog_version from public.sites s where s.id = p_site_id);
end $$;
