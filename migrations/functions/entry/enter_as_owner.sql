-- Enters the site of a request, as public.enter does, for an owner of the site's organization or a superuser.
-- Raises the errors of public.enter, and refuses (TS403) every other caller. Called by src/kernel/db.
create or replace function public.enter_as_owner(
  p_host text, p_slug text, p_caller public.caller, p_visit public.visit
) returns public.entered
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  entered public.entered;
  organization bigint;
begin
  entered := public.enter(p_host, p_slug, p_caller, null, p_visit);
  organization := (select s.organization_id from public.sites s where s.id = entered.site_id);
  if p_caller.organization_id <> organization
     or not (select u.is_superuser from public.users u where u.id = p_caller.id)
    and not exists (select from public.memberships m
                     where m.organization_id = organization and m.user_id = p_caller.id and m.role = 'owner')
  then
    raise sqlstate 'TS403' using message = 'the caller does not own the organization of the site';
  end if;
  return entered;
end $$;
