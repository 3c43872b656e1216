-- Skips the deletion of a social app that users sign in with. A trigger of _social_apps before the deletion
-- of a row.
create or replace function public.keep_used_social_app() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  site constant bigint := substr(tg_table_schema, length('site_') + 1)::bigint;
begin
  if exists (select from public.social_accounts a where a.site_id = site and a.social_app_id = old.id) then
    return null;
  end if;
  return old;
end $$;
