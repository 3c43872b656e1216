-- Enters the site of a request, as public.enter does, for a guest: a request without a caller, or a caller
-- who does not hold access_site there. p_standing: the standing (public.standing_of) that the statements were
-- planned for, as JSON. public.run_in_site then runs statements with the rights of the role of the site's
-- guests, and tessera.claims returns the claims of the caller. p_as_site: the statements run with the rights
-- of the site's role, without claims, to read the catalog. Otherwise it notes that the account is a guest of
-- the site (public.note_guest), before the transaction may be read-only.
--
-- Raises the errors of public.enter, and: TS428 the caller has another standing, which is the detail (`null`
-- for a caller who holds access_site); P0001 the mode is 'schema'. Called by src/kernel/db and
-- public.refused_followers.
create or replace function public.enter_as_guest(
  p_host text, p_slug text, p_caller public.caller, p_standing text, p_as_site boolean, p_visit public.visit
) returns public.entered
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  entered public.entered;
  claims jsonb;
  standing jsonb;
begin
  if p_visit.mode = 'schema' then
    raise exception 'guests may not change the schema';
  end if;
  -- Every request of a guest asks this, and nearly all find the row. public.enter checks p_visit.site_id.
  if not p_as_site and p_caller.id is not null and not exists (
    select from public.site_guests g where g.user_id = p_caller.id and g.site_id = p_visit.site_id) then
    perform public.note_guest(p_visit.site_id, p_caller.id, p_caller.organization_id);
  end if;
  entered := public.enter(p_host, p_slug, p_caller, null, p_visit);
  claims := public.claims_of(entered.site_id, p_caller);
  -- The same as public.standing_of, which would read the tables again.
  standing := claims - array['id', 'uuid', 'email'];
  -- An earlier release knows no roles.
  if standing is distinct from p_standing::jsonb and standing - 'roles' is distinct from p_standing::jsonb
  then
    raise sqlstate 'TS428' using message = 'the caller has another standing',
      detail = coalesce(standing::text, 'null');
  end if;
  if not p_as_site then
    perform public.note_claims(entered.site_id, claims), set_config('tessera.role', 'tessera_guest', true);
  end if;
  return entered;
end $$;
