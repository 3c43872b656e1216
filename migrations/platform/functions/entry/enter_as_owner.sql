-- As `enter`, for owners of the site's organization, and for superusers. Of no site, and of somebody who may not sign
-- in, `enter` itself says so.
create or replace function public.enter_as_owner(
  p_host text, p_slug text, p_caller bigint, p_issued_at timestamptz,
  p_schema_version integer, p_site bigint, p_catalog bigint, p_mode text, p_timeout_ms integer,
  out site_id bigint, out catalog_version bigint
) language plpgsql as $$
begin
  perform from public.users u
     join public.sites s on s.slug = public.site_at(p_host, p_slug)
    where u.id = p_caller and u.is_active and u.tokens_valid_after <= p_issued_at and not u.is_superuser
      and not exists (select from public.memberships m where m.organization_id = s.organization_id and m.user_id = u.id and m.role = 'owner');
  if found then
    raise sqlstate 'TS403' using message = 'the caller owns no organization with this site';
  end if;
  select e.site_id, e.catalog_version into enter_as_owner.site_id, enter_as_owner.catalog_version
    from public.enter(p_host, p_slug, p_caller, p_issued_at, null, p_schema_version, p_site, p_catalog, p_mode, p_timeout_ms) e;
end $$;
