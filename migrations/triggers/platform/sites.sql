-- A trigger that notes what a site was for, and keeps the slugs of deleted sites (public.guard_site).
create or replace trigger sites_guard before insert or update of slug, environment on public.sites
  for each row execute function public.guard_site();
