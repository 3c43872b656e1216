-- Enters the site of a request until the end of the transaction: public.run_in_site then runs statements in
-- it. Finds the site by the request's host (p_host), otherwise by p_slug. p_permission: the permission that
-- the caller must hold there; null: the request needs none. p_visit: see public.visit. In the mode 'schema'
-- it locks the site's schema, so that schema changes of one site happen one after the other; each may wait as
-- long as one schema change may take. A site may have a shorter timeout of its own for reads.
-- public.admit also checks a sign-in by an organization's provider, and notes the first use of a site; the
-- columns of a session tell whether it is open, and public.is_open also notes when it was used.
-- Returns the site and its catalog version.
--
-- Refuses: TS401 the caller may not sign in, or the request has no caller and needs one; TS403 the caller
-- lacks the permission, with the caller's standing (public.standing_of) as the detail, which is `null` for a
-- caller who holds access_site; TS404 there is no such site, or it does not answer requests, with its state
-- (public.site_state) as the detail; TS434 the caller belongs to the site or its organization, one of which
-- requires a second factor, and the account has none; TS433 the site has reached a limit
-- (public.refuse_exceeded); TS409 the statements were planned for another site or another version of its
-- catalog; TS408 the site has its own timeout for reads, and the mode is 'brief'; TS435 another schema change
-- of the site takes too long.
--
-- Every request calls it, so its time counts: one statement reads the site, one all about the caller, which
-- takes Postgres less than a join of both; and one sets all settings. Called by src/kernel/db,
-- public.enter_as_guest, public.enter_as_owner, public.enter_viewing, public.enter_with_key and
-- public.refused_followers.
create or replace function public.enter(
  p_host text, p_slug text, p_caller public.caller, p_permission text, p_visit public.visit
) returns public.entered language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  site record;
  caller record;
  has_rights boolean;
  username text;
begin
  select s.id, s.organization_id, s.catalog_version, s.statement_timeout_ms, s.exceeded,
         case when s.followed_until > now() then s.uuid end as followed,
         s.requires_factor or o.requires_factor as requires_factor into site
    from public.sites s join public.organizations o on o.id = s.organization_id
   where (s.is_active or public.is_transferred(s.id)) and s.id = coalesce(
     (select d.site_id from public.site_domains d where d.domain = p_host and d.verified_at is not null),
     (select x.id from public.sites x where x.slug = p_slug));
  if not found then
    raise sqlstate 'TS404' using message = 'no such site', detail = public.state_at(p_slug);
  end if;
  if p_caller.id is not null then
    select u.is_superuser, u.username, m.role, p.permissions, p.roles, g.user_id is null as is_new,
           f.revoked_at, f.last_used_at < now() - interval '1 minute' as is_use_stale into caller
      from public.users u
      left join public.refresh_families f on f.id = p_caller.session
      left join public.memberships m on m.organization_id = site.organization_id and m.user_id = u.id
      left join public.site_permissions p on p.site_id = site.id and p.user_id = u.id
      left join public.site_guests g on g.user_id = u.id and g.site_id = site.id
     where u.id = p_caller.id and u.is_active and u.generation = p_caller.generation;
    if not found or caller.revoked_at is not null
       or caller.is_use_stale and not public.is_open(p_caller.session) then
      raise sqlstate 'TS401' using message = 'the caller may not sign in';
    end if;
    username := caller.username;
    if p_caller.organization_id is not null or site.requires_factor or caller.is_new then
      has_rights := caller.role is not null or caller.permissions <> '{}' or caller.roles <> '{}';
      perform public.admit(p_caller, site.requires_factor and (has_rights or caller.is_superuser),
        case when has_rights and caller.is_new and p_permission is not null
               and current_setting('transaction_read_only') = 'off' then site.id end);
    end if;
    if p_permission is not null and p_permission <> all (public.held_permissions(p_caller.organization_id,
         site.organization_id, caller.is_superuser, caller.role, caller.permissions)) then
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
            public.note_visitor(p_caller, site.organization_id, username, site.id, p_visit, site.followed),
            set_config('statement_timeout', p_visit.timeout_ms::text, true);
  end if;
  return row(site.id, site.catalog_version);
end $$;
