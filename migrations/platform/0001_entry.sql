-- How a request enters the platform and a tenant. Each function is the first statement of a batch, that is of one
-- transaction, and fails with a SQLSTATE of its own: TS401 not signed in, TS403 not permitted, TS404 no such tenant or
-- organization, TS409 the catalog moved since the statements were planned, TS503 the tenant's schema is not migrated yet.

-- A tenant's role has no business here.
revoke all on schema public from public;
grant usage, create on schema public to current_user;
--> statement-breakpoint

-- Refuses whom the token names if the account is gone, inactive, or had its tokens revoked since the token was issued.
create function public.enter_platform(p_caller bigint, p_issued_at timestamptz, p_timeout_ms integer, out is_superuser boolean)
language plpgsql as $$
begin
  select u.is_superuser into enter_platform.is_superuser
    from public.users u
   where u.id = p_caller and u.is_active and u.tokens_valid_after <= p_issued_at;
  if not found then
    raise sqlstate 'TS401' using message = 'the caller may not sign in';
  end if;
  perform set_config('statement_timeout', p_timeout_ms::text, true);
  perform set_config('lock_timeout', '5000', true);
  perform set_config('timezone', 'UTC', true);
end $$;
--> statement-breakpoint

-- The same, for a resource of an organization that only its members with one of p_roles may use.
create function public.enter_organization(p_caller bigint, p_issued_at timestamptz, p_timeout_ms integer, p_slug text, p_roles text[], out organization_id bigint)
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
--> statement-breakpoint

-- Enters the tenant of a request until the end of the transaction: finds the site by the request's host, else by
-- p_slug; checks that the caller holds p_permission there (null: anybody, signed in or not); and from then on every
-- statement runs as the site's role, in its schema. p_site and p_catalog, when given, say for which site and which
-- version of its catalog the following statements were planned. p_mode: 'read', 'write', or 'schema', which also takes
-- the site's row so that schema changes of one site happen one after the other.
create function public.enter(
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
  perform set_config('statement_timeout', p_timeout_ms::text, true);
  perform set_config('lock_timeout', '5000', true);
  perform set_config('timezone', 'UTC', true);
  if p_mode = 'read' then
    perform set_config('transaction_read_only', 'on', true);
  end if;
  perform set_config('role', 'site_' || site.id, true);
  site_id := site.id;
  catalog_version := site.catalog_version;
end $$;
--> statement-breakpoint

-- Applies the tenant migration number p_version to a site that has had all before it; false when it has had this one too.
create function public.migrate_site(p_site bigint, p_version integer, p_sql text) returns boolean
language plpgsql as $$
declare
  present integer := (select s.schema_version from public.sites s where s.id = p_site for update);
begin
  if present >= p_version then
    return false;
  end if;
  if present is distinct from p_version - 1 then
    raise exception 'site % has schema version %, so migration % cannot be next', p_site, present, p_version;
  end if;
  perform set_config('search_path', 'site_' || p_site, true);
  execute p_sql;
  update public.sites set schema_version = p_version where id = p_site;
  return true;
end $$;
--> statement-breakpoint

-- Creates a site with its role, its schema and its tables (p_migrations, in order). The role owns what the tenant
-- makes, may use what the platform keeps there, and has no right anywhere else.
create function public.create_site(p_organization bigint, p_caller bigint, p_name text, p_slug text, p_environment text, p_migrations text[])
returns public.sites language plpgsql as $$
declare
  site public.sites;
  tenant text;
begin
  insert into public.sites (organization_id, name, slug, environment, created_by)
  values (p_organization, p_name, p_slug, p_environment, p_caller)
  returning * into site;
  tenant := 'site_' || site.id;
  -- Roles belong to the server: another database on it may have made this one. Its rights here begin with this schema.
  begin
    execute format('create role %I nologin', tenant);
  exception when duplicate_object or unique_violation then
    null;
  end;
  if current_setting('server_version_num')::integer >= 160000 then
    execute format('grant %I to current_user with set true, inherit false', tenant);
  else
    execute format('grant %I to current_user', tenant);
  end if;
  execute format('create schema %I', tenant);
  execute format('grant usage, create on schema %1$I to %1$I', tenant);
  execute format('alter default privileges in schema %1$I grant select, insert, update, delete on tables to %1$I', tenant);
  for version in 1 .. cardinality(p_migrations) loop
    perform public.migrate_site(site.id, version, p_migrations[version]);
  end loop;
  select s.* into site from public.sites s where s.id = site.id;
  return site;
end $$;
--> statement-breakpoint

-- Fired by every tenant's catalog tables, so that no statement can change them without moving the site's version.
create function public.touch_catalog() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update public.sites set catalog_version = catalog_version + 1 where id = substr(tg_table_schema, length('site_') + 1)::bigint;
  return null;
end $$;
--> statement-breakpoint

revoke execute on all functions in schema public from public;
