-- Deletes up to 10,000 rows of a site from each table of the schema `tenant`, one table after the other.
-- Returns whether there may be more. Called by public.erase_site.
create or replace function public.erase_rows(p_site_id bigint) returns boolean
language plpgsql as $$
declare
  rows_max constant integer := 10000;
  -- Each table comes before those that it references, so that no deletion cascades to more rows.
  shared constant text[] := '{_secret_tags,_secret_reads,_secret_history,_secrets,_secret_types,_tags,
    _social_attempts,_social_apps,_awaited_notes,_mails,_invocations,_deliveries,_subscribers,_skipped_runs,
    _function_versions,_functions,_kept_answers,_locks,_claims,_schema_jobs,_operations,_migrations,
    _deleted_datatables,_index_advice,
    _datatables,_datasources,_questions,_dashboards,_erasures,_apps}';
  part text;
  deleted integer;
begin
  foreach part in array shared loop
    execute format('delete from tenant.%1$I d where d.ctid = any (array(
                      select x.ctid from tenant.%1$I x where x.site_id = $1 limit $2))', part)
      using p_site_id, rows_max;
    get diagnostics deleted = row_count;
    if deleted = rows_max then
      return true;
    end if;
  end loop;
  return false;
end $$;
