-- Enters the tenant of a request until the end of the transaction: finds the site by the request's host, else by p_slug;
-- checks that the caller holds p_permission there (null: anybody may, signed in or not). From then on public.run_in_site runs
-- statements as the role of the site, in its schema. p_site and p_catalog, where given, say for which site and which version
-- of its catalog these statements were planned. p_mode: 'read', 'write', or 'schema', which also takes the site's row, so
-- that schema changes of one site happen one after the other.
--
-- Fails with a SQLSTATE of its own, as do the other functions of this folder: TS401 the caller is not signed in, TS403 not
-- permitted, TS404 there is no such tenant or organization, TS409 the catalog moved since the statements were planned,
-- TS503 the schema of the site is not migrated yet.
create or replace function public.enter(
  p_host text, p_slug text, p_caller public.caller, p_permission text,
  p_schema_version integer, p_site bigint, p_catalog bigint, p_mode text, p_timeout_ms integer,
  out site_id bigint, out catalog_version bigint
) language plpgsql as $$
declare
  site public.sites;
  caller record;
begin
  select s.* into site from public.sites s
   where s.is_active and s.id = coalesce(
     (select d.site_id from public.site_domains d where d.domain = p_host and d.verified_at is not null),
     (select x.id from public.sites x where x.slug = p_slug));
  if not found then
    raise sqlstate 'TS404' using message = 'no such site';
  end if;

  if p_caller.id is not null then
    select u.is_superuser, m.role, p.permissions into caller
      from public.users u
      left join public.memberships m on m.user_id = u.id and m.organization_id = site.organization_id
      left join public.site_permissions p on p.user_id = u.id and p.site_id = site.id
     where u.id = p_caller.id and u.is_active and u.generation = p_caller.generation;
    if not found then
      raise sqlstate 'TS401' using message = 'the caller may not sign in';
    end if;
    -- The common caller shows a token of the platform's own, of which that was all.
    if p_caller.organization_id is not null or p_caller.session is not null then
      perform public.find_caller(p_caller);
    end if;
    if p_permission is not null
       and (p_caller.organization_id <> site.organization_id
            or not caller.is_superuser
           and coalesce(caller.role, '') not in ('owner', 'admin')
           and not coalesce(caller.permissions && array[p_permission, 'admin_site'], false))
    then
      raise sqlstate 'TS403' using message = 'the caller lacks the permission';
    end if;
  elsif p_permission is not null then
    raise sqlstate 'TS401' using message = 'the request names no caller';
  end if;

  if site.schema_version < p_schema_version then
    raise sqlstate 'TS503' using message = 'the schema of the site is not migrated yet';
  end if;
  if p_mode = 'schema' then
    -- Changes of one site wait for each other, as long as each of them may take.
    perform set_config('lock_timeout', p_timeout_ms::text, true);
    select s.* into site from public.sites s where s.id = site.id for update;
  end if;
  if p_site <> site.id or p_catalog <> site.catalog_version then
    raise sqlstate 'TS409' using message = 'the catalog moved';
  end if;

  -- A site may have less time for what it reads than others have.
  perform set_config('statement_timeout', least(p_timeout_ms, case when p_mode = 'read' then site.statement_timeout_ms end)::text, true);
  if p_mode = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  else
    perform public.note_caller(p_caller);
  end if;
  perform set_config('tessera.site', site.id::text, true);
  site_id := site.id;
  catalog_version := site.catalog_version;
end $$;
