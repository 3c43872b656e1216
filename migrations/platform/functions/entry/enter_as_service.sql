-- Enters a site for work of the service's own, which nobody asks for.
create or replace function public.enter_as_service(p_site bigint, p_schema_version integer, p_timeout_ms integer) returns void
language plpgsql as $$
begin
  perform from public.sites s where s.id = p_site and s.schema_version >= p_schema_version;
  if not found then
    raise sqlstate 'TS503' using message = 'no such site, or its schema is not migrated yet';
  end if;
  perform set_config('statement_timeout', p_timeout_ms::text, true);
  perform set_config('tessera.site', p_site::text, true);
end $$;
