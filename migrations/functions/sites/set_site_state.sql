-- Suspends, resumes, deletes or restores (p_action) the site p_slug, for owners of its organization and
-- superusers, and returns it. Only a superuser can resume a site that a superuser has suspended. A deleted
-- site is erased after p_grace; a second deletion can make this earlier, never later.
--
-- Refuses: TS401 the caller may not sign in; TS403 the caller is neither an owner nor a superuser; TS434 the
-- site or its organization requires a second factor, and the caller's account has none; TS404 there is no
-- such site; TS432 the state of the site does not allow it, with the reason as the detail: `deleted`;
-- `erased`, the time to restore it is over; `organization`, its organization is deleted; `service`, a
-- superuser has suspended it. Called by src/identity/organizations.
create or replace function public.set_site_state(
  p_caller public.caller, p_slug text, p_action text, p_grace interval
) returns public.sites
language plpgsql as $$
declare
  superuser constant boolean := (public.find_caller(p_caller)).is_superuser;
  site public.sites;
  obstacle text;
begin
  select s.* into site from public.sites s where s.slug = p_slug for update;
  if not found then
    raise sqlstate 'TS404' using message = 'no such site';
  end if;
  if not public.owns_organization(p_caller, superuser, site.organization_id) then
    raise sqlstate 'TS403' using message = 'the caller does not own the organization of the site';
  end if;
  perform public.require_factor_in(site.organization_id, site.id, p_caller.id);
  if p_action = 'restore' then
    -- Nobody deletes the organization meanwhile.
    perform from public.organizations o where o.id = site.organization_id for no key update;
  end if;
  obstacle := case
    when p_action = 'restore' and site.deletes_at <= now() then 'erased'
    when p_action = 'restore' and site.deletes_at is not null and exists (
      select from public.organizations o where o.id = site.organization_id and o.deletes_at is not null)
      then 'organization'
    when p_action in ('suspend', 'resume') and site.deletes_at is not null then 'deleted'
    when p_action = 'resume' and not site.is_active and not superuser
         and site.suspended_by is distinct from 'owner' then 'service'
  end;
  if obstacle is not null then
    raise sqlstate 'TS432' using message = 'the state of the site does not allow it', detail = obstacle;
  end if;

  -- The operator of the service may have suspended the site directly in the database.
  if not site.is_active and site.deletes_at is null then
    site.suspended_by := coalesce(site.suspended_by, 'service');
  end if;
  case p_action
    when 'suspend' then
      -- A suspension by a superuser stays one if an owner suspends the site again.
      if site.is_active or superuser then
        site.suspended_by := case when superuser then 'service' else 'owner' end;
      end if;
    when 'resume' then
      site.suspended_by := null;
    when 'delete' then
      site.deletes_at := least(site.deletes_at, now() + p_grace);
    when 'restore' then
      site.deletes_at := null;
  end case;
  update public.sites s
     set is_active = site.suspended_by is null and site.deletes_at is null,
         suspended_by = site.suspended_by, deletes_at = site.deletes_at
   where s.id = site.id returning s.* into site;
  return site;
end $$;
