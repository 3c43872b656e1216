-- Deletes or restores (p_action) the organization p_slug, for its owners and superusers, and returns it. A
-- deleted organization is erased after p_grace, when it has no sites any more.
--
-- Refuses: TS401 the caller may not sign in; TS403 the caller is neither an owner nor a superuser; TS434 the
-- organization requires a second factor, and the caller's account has none; TS404 there is no such
-- organization; TS432 it has sites that are not deleted, with their number as the detail; or, with the detail
-- `erased`, the time to restore it is over. Called by src/identity/organizations.
create or replace function public.set_organization_state(
  p_caller public.caller, p_slug text, p_action text, p_grace interval
) returns public.organizations
language plpgsql as $$
declare
  superuser constant boolean := (public.find_caller(p_caller)).is_superuser;
  organization public.organizations;
  site_count bigint;
begin
  select o.* into organization from public.organizations o where o.slug = p_slug for update;
  if not found then
    raise sqlstate 'TS404' using message = 'no such organization';
  end if;
  if not public.owns_organization(p_caller, superuser, organization.id) then
    raise sqlstate 'TS403' using message = 'the caller does not own the organization';
  end if;
  perform public.require_factor_in(organization.id, null, p_caller.id);
  if p_action = 'restore' and organization.deletes_at <= now() then
    raise sqlstate 'TS432' using message = 'the organization is being erased', detail = 'erased';
  end if;
  if p_action = 'delete' then
    select count(*) into site_count from public.sites s
     where s.organization_id = organization.id and s.deletes_at is null;
    if site_count > 0 then
      raise sqlstate 'TS432' using message = 'the organization has sites', detail = site_count::text;
    end if;
  end if;
  update public.organizations o
     set deletes_at = case when p_action = 'delete' then least(o.deletes_at, now() + p_grace) end
   where o.id = organization.id returning o.* into organization;
  return organization;
end $$;
