-- Enters the site of a request, as public.enter does, for a caller who holds admin_site and wants to see what
-- a person of the site sees. p_viewing: see the type. public.run_in_site then runs statements with the rights
-- of the role of guests, as after public.enter_as_guest; for a person who holds access_site, with
-- those of the site's role. The audit gets an entry, unless only the catalog is read.
--
-- Raises the errors of public.enter, and: TS428 the person has another standing, which is the detail; TS431
-- the account is not a person of the site (public.claims_of_person); P0001 the mode is not that of a read.
-- Called by src/kernel/db.
create or replace function public.enter_viewing(
  p_host text, p_slug text, p_caller public.caller, p_viewing public.viewing, p_visit public.visit
) returns public.entered
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  entered public.entered;
  claims jsonb;
  standing jsonb;
begin
  if p_visit.mode not in ('read', 'brief') then
    raise exception 'who sees as another person may only read';
  end if;
  -- Written before public.enter makes the transaction read-only. An error below undoes it.
  if not p_viewing.as_site then
    perform public.note_read(p_caller, s.id, 'view_as', (p_viewing.person_id)::text,
      (select u.username from public.users u
        where u.id = p_viewing.person_id and public.knows_person(s.organization_id, u.id)))
      from public.sites s where s.slug = public.site_at(p_host, p_slug);
  end if;
  entered := public.enter(p_host, p_slug, p_caller, 'admin_site', p_visit);
  claims := public.claims_of_person(entered.site_id, p_viewing.person_id);
  standing := coalesce(claims - array['id', 'uuid', 'email'], 'null');
  -- An earlier release knows no roles.
  if standing is distinct from (p_viewing.standing)::jsonb
     and claims - array['id', 'uuid', 'email', 'roles'] is distinct from (p_viewing.standing)::jsonb then
    raise sqlstate 'TS428' using message = 'the person has another standing', detail = standing::text;
  end if;
  if claims is not null and not p_viewing.as_site then
    perform public.note_claims(entered.site_id, claims), set_config('tessera.role', 'tessera_guest', true);
  end if;
  return entered;
end $$;
