-- Skips the deletion of a social app that users sign in with. A trigger of _social_apps before a site deletes
-- a row, which public.hold_social_app has locked, so that nobody signs in with it meanwhile.
create or replace function public.keep_used_social_app() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if exists (select from public.social_accounts a
              where a.site_id = old.site_id and a.social_app_id = old.id) then
    return null;
  end if;
  return new;
end $$;
