-- Enters a site on a replica of the database, until the end of the transaction, for statements that only
-- read: public.run_in_site then runs them. The primary decides at the same time whether the caller may read
-- (public.enter). p_visit: see public.visit; its mode is ignored.
--
-- Returns how far the replica is: how many bytes of the log it has replayed, and the time of the last commit
-- in them by the primary's clock, in milliseconds since the epoch. Refuses (TS409) statements that were
-- planned for another version of the site's catalog than the replica has. Called by src/kernel/db.
create or replace function public.enter_replica(
  p_visit public.visit, out replayed_bytes bigint, out replayed_at bigint
) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  limit_ms integer;
begin
  -- Read before the statements run, which see this commit and maybe later ones. On a primary the values are
  -- null.
  replayed_at := 1000 * extract(epoch from pg_last_xact_replay_timestamp());
  replayed_bytes := pg_last_wal_replay_lsn() - '0/0'::pg_lsn;
  select least(p_visit.timeout_ms, s.statement_timeout_ms) into limit_ms
    from public.sites s
   where s.id = p_visit.site_id and s.is_active and s.catalog_version = p_visit.catalog_version;
  if not found then
    raise sqlstate 'TS409' using message = 'the replica has another version of the catalog';
  end if;
  perform set_config('tessera.role', 'site_' || p_visit.site_id, true),
          set_config('statement_timeout', limit_ms::text, true),
          set_config('transaction_read_only', 'on', true);
end $$;
