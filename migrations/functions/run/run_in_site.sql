-- Runs statements of a tenant with the rights of the site's role, in the site that public.enter or
-- public.enter_as_service has entered in this transaction; after public.enter_as_guest, with those of the
-- role of guests. A statement cannot leave its site: a function that runs with the rights of another role
-- may not change its role, and these roles may execute neither this function nor that of another site.
--
-- Parameters and rows are those of tessera.run. p_entered: the result of a function that enters the site,
-- if the same statement calls it. Postgres evaluates a parameter before it runs a function, so the site is
-- entered first. Then each row repeats this result, and there is at least one row. If the transaction may
-- write, one more row, with the number 0, has the notes of public.note_stale and public.note_delivery, and
-- the uuid of the site if somebody follows lists of it, as JSON.
--
-- Raises the errors of the statements. Refuses (TS409) a kept statement, and writes that were planned for a
-- version of the catalog, if another transaction has changed the catalog meanwhile. Refuses (P0001)
-- statements that have changed the function that runs them, or made a trigger that can be deferred.
-- Called by src/kernel/db and dev/restore-site.ts.
create or replace function public.run_in_site(
  p_statements text[], p_values text[], p_large text, p_entered public.entered default null
) returns table (site_id bigint, catalog_version bigint, n integer, answer text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  runner constant text := current_setting('tessera.role');
  -- Read before the statements, which may end the right to write.
  writes constant boolean := current_setting('transaction_read_only') = 'off';
  -- Statements that may wait for the lock of a schema change. A kept one has its snapshot before it waits,
  -- and would see no record of a table that was rewritten. A write would convert values to the new types.
  planned constant public.entered := case
    when writes then nullif(current_setting('tessera.planned', true), '')::public.entered
    when p_statements[2] like 'x%' then p_entered end;
begin
  -- Session-level advisory locks outlive their transaction, even a failed one, and connections are pooled.
  perform pg_advisory_unlock_all();
  -- Shorter than the statement timeout: a statement that waits for a lock fails with the error of the lock.
  perform set_config('lock_timeout', least(5000,
    900 * extract(epoch from current_setting('statement_timeout')::interval))::integer::text, true);
  site_id := p_entered.site_id;
  catalog_version := p_entered.catalog_version;
  return query
    execute format('select $4, $5, n, answer from runs.%I($1, $2, $3)', runner)
    using p_statements, p_values, p_large, site_id, catalog_version;
  if planned.catalog_version is not null and not exists (
    select from public.sites s
     where s.id = planned.site_id
       and (s.catalog_version = planned.catalog_version
            or s.xmin = pg_current_xact_id_if_assigned()::xid)) then
    raise sqlstate 'TS409' using message = 'the catalog moved';
  end if;
  if writes then
    -- The role owns the function that runs its statements, and could change it. The next request needs it
    -- unchanged.
    if not public.is_run_intact(runner) then
      raise exception 'a statement has changed the function that runs it';
    end if;
    -- A deferred trigger would run at the commit, without a time limit, and before version 18 of Postgres
    -- with the rights of the service. Unless this transaction made a trigger, it costs two counters.
    if pg_stat_get_xact_tuples_inserted('pg_trigger'::regclass)
         + pg_stat_get_xact_tuples_updated('pg_trigger'::regclass) > 0
       and public.has_deferrable_trigger(runner) then
      raise exception 'a statement has made a trigger that can be deferred';
    end if;
    n := 0;
    answer := json_build_object('stale', current_setting('tessera.stale', true),
                                'deliveries', current_setting('tessera.deliveries', true),
                                'followed', nullif(current_setting('tessera.followed', true), ''));
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
