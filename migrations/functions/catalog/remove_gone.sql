-- Removes a row that a site has deleted: sites set `is_gone`, because they have no right to delete.
-- Arguments: the columns that identify a row of the table in its site. A trigger of tables of the schema
-- `tenant`.
create or replace function public.remove_gone() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  execute format('delete from tenant.%I d where d.site_id = $1.site_id and %s', tg_table_name,
                 (select string_agg(format('d.%1$I = $1.%1$I', k), ' and ') from unnest(tg_argv) k))
    using new;
  return null;
end $$;
