/** A model of public.enter: one statement that joins all that it asks, in one snapshot. */

export const enterByJoin = `
create function public.enter_by_join(
  p_host text, p_slug text, p_caller public.caller, p_permission text, p_visit public.visit
) returns public.entered language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  site record;
begin
  select s.id, s.organization_id, s.catalog_version, s.statement_timeout_ms, s.exceeded,
         u.id as user_id, u.is_superuser, u.username, m.role, p.permissions, p.roles, f.revoked_at,
         f.last_used_at < now() - interval '1 minute' as is_use_stale,
         (m.role is not null or p.permissions <> '{}' or p.roles <> '{}')
         and g.user_id is null and p_permission is not null
         and current_setting('transaction_read_only') = 'off' as is_first_use,
         (s.requires_factor or o.requires_factor)
         and (m.role is not null or p.permissions <> '{}' or p.roles <> '{}'
              or u.is_superuser) as needs_factor into site
    from public.sites s
    join public.organizations o on o.id = s.organization_id
    left join public.users u on u.id = p_caller.id and u.is_active and u.generation = p_caller.generation
    left join public.refresh_families f on f.id = p_caller.session
    left join public.memberships m on m.user_id = u.id and m.organization_id = s.organization_id
    left join public.site_permissions p on p.user_id = u.id and p.site_id = s.id
    left join public.site_guests g on g.user_id = u.id and g.site_id = s.id
   where (s.is_active or public.is_transferred(s.id)) and s.id = coalesce(
     (select d.site_id from public.site_domains d where d.domain = p_host and d.verified_at is not null),
     (select x.id from public.sites x where x.slug = p_slug));
  if not found then
    raise sqlstate 'TS404' using message = 'no such site', detail = public.state_at(p_slug);
  end if;
  if p_caller.id is not null then
    -- The columns tell whether the sign-in is still open; public.is_open also notes when it was used.
    if site.user_id is null or site.revoked_at is not null
       or site.is_use_stale and not public.is_open(p_caller.session) then
      raise sqlstate 'TS401' using message = 'the caller may not sign in';
    end if;
    if p_caller.organization_id is not null or site.needs_factor or site.is_first_use then
      perform public.admit(p_caller, site.needs_factor, case when site.is_first_use then site.id end);
    end if;
    if p_permission is not null and p_permission <> all (public.held_permissions(
         p_caller.organization_id, site.organization_id, site.is_superuser, site.role, site.permissions)) then
      raise sqlstate 'TS403' using message = 'the caller lacks the permission',
        detail = coalesce(public.standing_of(site.id, p_caller)::text, 'null');
    end if;
  elsif p_permission is not null then
    raise sqlstate 'TS401' using message = 'the request has no caller';
  end if;
  if site.exceeded is not null then
    perform public.refuse_exceeded(site.id, site.exceeded, p_visit.mode);
  end if;
  if p_visit.mode = 'schema' then
    site.catalog_version := public.lock_site(site.id, p_visit.timeout_ms);
  elsif p_visit.mode = 'brief' and site.statement_timeout_ms is not null then
    raise sqlstate 'TS408' using message = 'the site has a time limit of its own';
  end if;
  if p_visit.site_id <> site.id or p_visit.catalog_version <> site.catalog_version then
    raise sqlstate 'TS409' using message = 'the catalog moved';
  end if;
  if p_visit.mode in ('read', 'brief') then
    perform set_config('tessera.role', 'site_' || site.id, true),
            set_config('statement_timeout', least(p_visit.timeout_ms, site.statement_timeout_ms)::text, true),
            set_config('transaction_read_only', 'on', true);
  else
    perform set_config('tessera.role', 'site_' || site.id, true),
            public.note_visitor(p_caller, site.organization_id, site.username, site.id, p_visit, null),
            set_config('statement_timeout', p_visit.timeout_ms::text, true);
  end if;
  return row(site.id, site.catalog_version);
end $$;`

/**
 * Gives a person what a random standing has, asks a door, and undoes all. Returns what the door answered or
 * refused, and all that it set and noted.
 */
export const outcomeAt = `
create function public.outcome_at(p_door text, p_id bigint, p_site bigint, p jsonb) returns text
language plpgsql as $$
declare
  outcome text;
  detail text;
begin
  begin
    update public.sites s
       set is_active = (p -> 'active')::boolean, requires_factor = (p -> 'siteFactor')::boolean,
           exceeded = nullif(p -> 'exceeded', 'null'), statement_timeout_ms = (p ->> 'limit')::integer
     where s.id = p_site;
    update public.organizations o set requires_factor = (p -> 'organizationFactor')::boolean
     where o.id = (select s.organization_id from public.sites s where s.id = p_site);
    insert into public.site_domains (domain, site_id, verified_at)
      select 'host.example', d.id, case when (p -> 'verified')::boolean then now() end
        from public.sites d where d.slug = p ->> 'domainOf';
    update public.users u
       set is_active = (p -> 'userActive')::boolean, is_superuser = (p -> 'superuser')::boolean where u.id = p_id;
    insert into public.memberships (organization_id, user_id, role)
      select s.organization_id, p_id, m.role
        from (values (p ->> 'role', 'desk'), (p ->> 'roleElsewhere', 'foreign')) m (role, slug)
        join public.sites s on s.slug = m.slug where m.role is not null;
    insert into public.site_permissions (site_id, user_id, permissions, roles)
      select p_site, p_id, array(select jsonb_array_elements_text(p -> 'permissions')),
             array(select jsonb_array_elements_text(p -> 'roles'))
       where p ->> 'permissions' is not null;
    insert into public.site_guests (user_id, site_id) select p_id, p_site where (p -> 'known')::boolean;
    insert into public.refresh_families (id, user_id, current, expires_at, revoked_at, last_used_at)
      select '00000000-0000-4000-8000-000000000001', p_id, gen_random_uuid(), now() + interval '1 day',
             case p ->> 'session' when 'revoked' then now() end,
             now() - case p ->> 'session' when 'stale' then interval '2 minutes' else interval '0' end
       where p ->> 'session' in ('fresh', 'stale', 'revoked');
    perform set_config('transaction_read_only', p ->> 'readOnly', true);
    execute format('select public.%I($1, $2, $3, $4, $5)::text', p_door) into outcome
      using p ->> 'host', p ->> 'slug', jsonb_populate_record(null::public.caller, p -> 'caller'), p ->> 'asked',
            jsonb_populate_record(null::public.visit, p -> 'visit');
    outcome := outcome || json_build_array(
      current_setting('tessera.role', true), current_setting('tessera.caller', true),
      current_setting('tessera.username', true), current_setting('tessera.request', true),
      current_setting('statement_timeout'), current_setting('lock_timeout'),
      current_setting('transaction_read_only'),
      (select count(*) from public.site_guests g where g.user_id = p_id),
      (select max(f.last_used_at) = now() from public.refresh_families f where f.user_id = p_id))::text;
    raise sqlstate 'ZZ000';
  exception
    when sqlstate 'ZZ000' then return outcome;
    when others then
      get stacked diagnostics detail = pg_exception_detail;
      return sqlstate || ' ' || detail;
  end;
end $$`
