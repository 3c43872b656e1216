-- Lets a caller pass who has one of p_roles in the organization p_slug, or is a superuser, and returns the
-- organization. A sign-in by the provider of another organization does not count. Refuses: TS401 the caller
-- may not sign in; TS403 the caller has none of the roles; TS434 the organization requires a
-- second factor, and the caller's account has none; TS404 there is no such organization, or it is
-- deleted. Called by src/kernel/db and src/identity/organizations.
create or replace function public.enter_organization(
  p_caller public.caller, p_slug text, p_roles text[], out organization_id bigint
) language plpgsql as $$
declare
  superuser constant boolean := (public.find_caller(p_caller)).is_superuser;
begin
  select o.id into organization_id from public.organizations o
   where o.slug = p_slug and o.deletes_at is null;
  if not found then
    raise sqlstate 'TS404' using message = 'no such organization, or it is deleted';
  end if;
  if p_caller.organization_id <> organization_id or not superuser and not exists (
    select from public.memberships m
     where m.organization_id = enter_organization.organization_id
       and m.user_id = p_caller.id and m.role = any (p_roles)
  ) then
    raise sqlstate 'TS403' using message = 'the caller has none of the roles';
  end if;
  perform public.require_factor_in(organization_id, null, p_caller.id);
end $$;
