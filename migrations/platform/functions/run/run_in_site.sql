-- Runs statements of a tenant, as the role of the site that public.enter has entered in this transaction. Postgres allows
-- no function that runs as somebody else to change its role, and the site's role may execute neither this function nor
-- that of another site: so no statement gets from its site to another one, or to the platform.
--
-- Its parameters and rows are those of public.run. Where the transaction may write, a last row, number 0, has the notes of
-- the triggers (see note_stale and note_delivery) as JSON.
create or replace function public.run_in_site(p_statements text[], p_values text[], p_large text)
returns table (n integer, answer text) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  site constant text := 'site_' || current_setting('tessera.site');
begin
  -- Locks that outlive transactions are kept by connections, also of a transaction that failed.
  perform pg_advisory_unlock_all();
  -- Who waits for a lock hears of that, and not that the statement took too long.
  perform set_config('lock_timeout', least(5000, 900 * extract(epoch from current_setting('statement_timeout')::interval))::integer::text, true);
  return query execute format('select n, answer from %I.run($1, $2, $3)', site) using p_statements, p_values, p_large;
  if current_setting('transaction_read_only') = 'off' then
    -- The site's role owns the function: it must be as it was made when the next request calls it.
    if not public.is_run_intact(site) then
      raise exception 'a statement has changed the function that it was run by';
    end if;
    n := 0;
    answer := json_build_object('stale', current_setting('tessera.stale', true), 'deliveries', current_setting('tessera.deliveries', true));
    return next;
  end if;
  -- Settings, such locks and channels outlive the transaction where connections are pooled: what a statement has set is undone.
  reset all;
  perform pg_advisory_unlock_all();
  unlisten *;
end $$;
