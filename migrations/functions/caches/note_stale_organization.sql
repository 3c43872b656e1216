-- Notes that the cached rights of everybody in the sites of an organization are stale, when it begins or
-- ceases to require a second factor. A trigger of public.organizations. See public.note_stale.
create or replace function public.note_stale_organization() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('tessera.stale', concat_ws(E'\n',
    nullif(current_setting('tessera.stale', true), ''),
    (select string_agg('caller ' || x.user_id, E'\n')
       from (select m.user_id from public.memberships m
              where m.organization_id = new.id and m.role in ('owner', 'admin')
             union select p.user_id from public.site_permissions p
                     join public.sites s on s.id = p.site_id where s.organization_id = new.id
             union select u.id from public.users u where u.is_superuser) x)), true);
  return null;
end $$;
