-- The same, for a resource of an organization that only its members with one of p_roles may use. A sign-in by another
-- organization's provider counts for nothing here.
create or replace function public.enter_organization(p_caller public.caller, p_slug text, p_roles text[], out organization_id bigint)
language plpgsql as $$
declare
  superuser constant boolean := (public.find_caller(p_caller)).is_superuser;
begin
  select o.id into organization_id from public.organizations o where o.slug = p_slug;
  if not found then
    raise sqlstate 'TS404' using message = 'no such organization';
  end if;
  if p_caller.organization_id <> organization_id or not superuser and not exists (
    select from public.memberships m
     where m.organization_id = enter_organization.organization_id and m.user_id = p_caller.id and m.role = any (p_roles)
  ) then
    raise sqlstate 'TS403' using message = 'the caller holds none of the roles';
  end if;
end $$;
