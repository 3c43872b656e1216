-- Enters a site for the service's own work, such as a delivery of the queue, until the end of the
-- transaction. There is no caller. Refuses (TS404) a site that does not exist, and (TS503) one whose
-- schema is not migrated yet. Called by src/db and dev/restore-site.ts.
create or replace function public.enter_as_service(
  p_site_id bigint, p_schema_version integer, p_timeout_ms integer
) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform from public.sites s where s.id = p_site_id and s.schema_version >= p_schema_version;
  if not found then
    if not exists (select from public.sites s where s.id = p_site_id) then
      raise sqlstate 'TS404' using message = 'no such site';
    end if;
    raise sqlstate 'TS503' using message = 'the schema of the site is not migrated yet';
  end if;
  perform set_config('statement_timeout', p_timeout_ms::text, true),
          set_config('tessera.site', p_site_id::text, true);
end $$;
