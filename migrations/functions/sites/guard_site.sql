-- Notes whether a site ever was for production or staging, and refuses (23505 of sites_slug_key, with
-- `held` as the detail) a slug that is held for another organization after it has deleted a site
-- (public.hold_slug). A trigger of public.sites.
create or replace function public.guard_site() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  new.was_live := new.environment in ('production', 'staging') or tg_op = 'UPDATE' and old.was_live;
  if (tg_op = 'INSERT' or new.slug <> old.slug) and exists (
    select from public.slug_holds h
     where h.slug = new.slug and h.organization_id <> new.organization_id and h.held_until > now()) then
    raise unique_violation using message = 'the slug is held', constraint = 'sites_slug_key', detail = 'held';
  end if;
  return new;
end $$;
