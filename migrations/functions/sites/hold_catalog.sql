-- Locks the schema of a site (public.lock_site) for statements of the service that were planned for the
-- version p_catalog_version of its catalog. Refuses: TS409 the catalog has another version; TS435 a schema
-- change of the site takes too long. Called by src/data.
create or replace function public.hold_catalog(
  p_site_id bigint, p_catalog_version bigint, p_timeout_ms integer
) returns void
language plpgsql as $$
begin
  if public.lock_site(p_site_id, p_timeout_ms) is distinct from p_catalog_version then
    raise sqlstate 'TS409' using message = 'the catalog moved';
  end if;
end $$;
