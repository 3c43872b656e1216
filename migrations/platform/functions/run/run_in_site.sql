-- Runs statements of a tenant with the rights of the site's role, in the site that public.enter or
-- public.enter_as_service has entered in this transaction; after public.enter_as_guest, with those of the
-- role of the site's guests. A function that runs with the rights of another role may not change its role,
-- and these roles may execute neither this function nor that of another site: a statement cannot leave its
-- site.
--
-- Parameters and rows are those of public.run. p_entered: what a function that enters has returned, if it is
-- called in the same statement: Postgres computes a parameter before it runs a function. Each row repeats it,
-- and there is at least one row then. Where the transaction may write, one more row, with the number 0, has
-- the notes of public.note_stale and public.note_delivery as JSON.
--
-- Refuses what the statements refuse, and (P0001) statements that changed this function of the site.
-- Called by src/db and dev/restore-site.ts.
create or replace function public.run_in_site(
  p_statements text[], p_values text[], p_large text, p_entered public.entered default null
) returns table (site_id bigint, catalog_version bigint, n integer, answer text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  -- For guests, `tessera.site` ends in `_guest`.
  site constant text := 'site_' || current_setting('tessera.site');
begin
  -- Advisory locks of sessions outlive their transaction, even a failed one, and connections are pooled.
  perform pg_advisory_unlock_all();
  -- A statement that waits for a lock fails because of the lock, before the timeout of statements.
  perform set_config('lock_timeout', least(5000,
    900 * extract(epoch from current_setting('statement_timeout')::interval))::integer::text, true);
  site_id := p_entered.site_id;
  catalog_version := p_entered.catalog_version;
  return query
    execute format('select $4, $5, n, answer from %I.%I($1, $2, $3)', site, 'run_' || site)
    using p_statements, p_values, p_large, site_id, catalog_version;
  if current_setting('transaction_read_only') = 'off' then
    -- The site's role owns the function that runs its statements. The next request needs it unchanged.
    if not public.is_run_intact(site) then
      raise exception 'a statement has changed the function that runs the statements of its site';
    end if;
    n := 0;
    answer := json_build_object('stale', current_setting('tessera.stale', true),
                                'deliveries', current_setting('tessera.deliveries', true));
    return next;
  elsif not found and site_id is not null then
    return next;
  end if;
  -- Settings, advisory locks and channels of a statement would outlive the transaction on a pooled
  -- connection.
  reset all;
  perform pg_advisory_unlock_all();
  unlisten *;
end $$;
