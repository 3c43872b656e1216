-- Notes that the caches of the secrets of the changed rows' sites are stale: a trigger of tables of the
-- schema `tenant`. See public.note_stale.
create or replace function public.note_stale_secrets() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform set_config('tessera.stale', concat_ws(E'\n',
    nullif(current_setting('tessera.stale', true), ''),
    (select string_agg('secrets ' || s.slug, E'\n') from public.sites s
      where s.id in (select c.site_id from changed c))), true);
  return null;
end $$;
