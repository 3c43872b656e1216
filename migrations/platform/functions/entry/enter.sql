-- As before (0011), but that it says to the statements that follow who the caller is.
create or replace function public.enter(
  p_host text, p_slug text, p_caller bigint, p_issued_at timestamptz, p_permission text,
  p_schema_version integer, p_site bigint, p_catalog bigint, p_mode text, p_timeout_ms integer,
  out site_id bigint, out catalog_version bigint
) language plpgsql as $$
declare
  site public.sites;
  caller record;
begin
  select s.* into site from public.sites s
   where s.is_active and s.id = coalesce(
     (select d.site_id from public.site_domains d where d.domain = p_host),
     (select x.id from public.sites x where x.slug = p_slug));
  if not found then
    raise sqlstate 'TS404' using message = 'no such site';
  end if;

  if p_caller is not null then
    select u.is_superuser, m.role, p.permissions into caller
      from public.users u
      left join public.memberships m on m.user_id = u.id and m.organization_id = site.organization_id
      left join public.site_permissions p on p.user_id = u.id and p.site_id = site.id
     where u.id = p_caller and u.is_active and u.tokens_valid_after <= p_issued_at;
    if not found then
      raise sqlstate 'TS401' using message = 'the caller may not sign in';
    end if;
    if p_permission is not null
       and not caller.is_superuser
       and coalesce(caller.role, '') not in ('owner', 'admin')
       and not coalesce(caller.permissions && array[p_permission, 'admin_site'], false)
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
    select s.* into site from public.sites s where s.id = site.id for update;
  end if;
  if p_site <> site.id or p_catalog <> site.catalog_version then
    raise sqlstate 'TS409' using message = 'the catalog moved';
  end if;

  perform set_config('search_path', 'site_' || site.id, true);
  -- A site may have less time for what it reads than others have.
  perform set_config('statement_timeout', least(p_timeout_ms, case when p_mode = 'read' then site.statement_timeout_ms end)::text, true);
  -- Who waits for a lock hears of that, and not that the statement took too long.
  perform set_config('lock_timeout', least(5000, p_timeout_ms * 9 / 10)::text, true);
  -- Who is the cause of what happens from here on, be it by a token or a key.
  perform set_config('tessera.caller', coalesce(p_caller::text, ''), true);
  perform set_config('timezone', 'UTC', true);
  if p_mode = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  perform set_config('role', 'site_' || site.id, true);
  site_id := site.id;
  catalog_version := site.catalog_version;
end $$;
