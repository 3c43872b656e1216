-- Returns the site that a request names, and keeps one of its social apps from being deleted until the end of
-- the transaction. Refuses (TS404) a social app that the site does not have. Called by the functions of this
-- folder.
create or replace function public.use_social_app(p_host text, p_slug text, p_social_app_id bigint)
returns bigint
language plpgsql as $$
declare
  site constant bigint := coalesce(
    (select s.id from public.sites s where s.slug = public.site_at(p_host, p_slug)), 0);
  is_there boolean;
begin
  if to_regclass(format('%I._social_apps', 'site_' || site)) is not null then
    execute format('select true from %I._social_apps a where a.id = $1 for key share', 'site_' || site)
      into is_there using p_social_app_id;
  end if;
  if is_there is null then
    raise sqlstate 'TS404' using message = 'no such social app';
  end if;
  return site;
end $$;
