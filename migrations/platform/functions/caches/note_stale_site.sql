-- Notes the caches that are stale when a site changes its slug, begins or stops to answer, or is erased:
-- those of its secrets and its hosts, and those of everybody with rights in it. They have its slug, and
-- another site may take that. Also when the site begins or ceases to require a second factor. A trigger of
-- public.sites. See public.note_stale.
create or replace function public.note_stale_site() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('tessera.stale', concat_ws(E'\n',
    nullif(current_setting('tessera.stale', true), ''),
    'secrets ' || old.slug,
    case when tg_op = 'UPDATE' then 'secrets ' || new.slug end,
    (select string_agg('host ' || d.domain, E'\n') from public.site_domains d where d.site_id = old.id),
    (select string_agg('caller ' || x.user_id, E'\n')
       from (select m.user_id from public.memberships m
              where m.organization_id = old.organization_id and m.role in ('owner', 'admin')
             union select p.user_id from public.site_permissions p where p.site_id = old.id
             union select u.id from public.users u where u.is_superuser) x)), true);
  return null;
end $$;
