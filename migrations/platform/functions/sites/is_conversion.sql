-- Returns whether a migration of sites is a conversion: it only changes what earlier versions have created.
-- New sites skip it, and it has the rights of the site's roles. p_name: the name of its file. Called by
-- public.create_site and public.migrate_site.
create or replace function public.is_conversion(p_name text) returns boolean immutable
language sql as $$
  select p_name in ('0007_guest_changes.sql')
$$;
