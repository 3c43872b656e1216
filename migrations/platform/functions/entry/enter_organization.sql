-- The same, for a resource of an organization that only its members with one of p_roles may use.
create or replace function public.enter_organization(p_caller bigint, p_issued_at timestamptz, p_timeout_ms integer, p_slug text, p_roles text[], out organization_id bigint)
language plpgsql as $$
declare
  superuser boolean := (select e.is_superuser from public.enter_platform(p_caller, p_issued_at, p_timeout_ms) e);
begin
  select o.id into organization_id from public.organizations o where o.slug = p_slug;
  if not found then
    raise sqlstate 'TS404' using message = 'no such organization';
  end if;
  if not superuser and not exists (
    select from public.memberships m
     where m.organization_id = enter_organization.organization_id and m.user_id = p_caller and m.role = any (p_roles)
  ) then
    raise sqlstate 'TS403' using message = 'the caller holds none of the roles';
  end if;
end $$;
