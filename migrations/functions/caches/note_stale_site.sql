-- Notes the caches that become stale when a site changes its slug, starts or stops answering, is erased, or
-- begins or ceases to require a second factor: those of its secrets and its hosts, and the cached rights of
-- everybody in it. These caches have the slug of the site, and another site may get that slug. A trigger of
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
