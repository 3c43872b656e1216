-- Returns the site that a request names, and keeps one of its social apps from being deleted until the end of
-- the transaction. Refuses (TS404) a social app that the site does not have. Called by the functions of this
-- folder.
create or replace function public.use_social_app(p_host text, p_slug text, p_social_app_id bigint)
returns bigint
language plpgsql as $$
declare
  site constant bigint := coalesce(
    (select s.id from public.sites s where s.slug = public.site_at(p_host, p_slug)), 0);
begin
  perform from tenant._social_apps a where a.site_id = site and a.id = p_social_app_id for key share;
  if not found then
    raise sqlstate 'TS404' using message = 'no such social app';
  end if;
  return site;
end $$;
