-- Enters a site for the service's own work, such as a delivery of the queue, until the end of the
-- transaction. There is no caller. Refuses (TS404) a site that does not exist. Called by src/kernel/db and
-- dev/restore-site.ts.
create or replace function public.enter_as_service(p_site_id bigint, p_timeout_ms integer) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The last step of an erasure holds the row until the site is gone.
  perform from public.sites s where s.id = p_site_id for key share;
  if not found then
    raise sqlstate 'TS404' using message = 'no such site';
  end if;
  perform set_config('statement_timeout', p_timeout_ms::text, true),
          set_config('tessera.role', 'site_' || p_site_id, true);
end $$;
