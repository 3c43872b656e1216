-- Replaces the site p_slug by the site p_with of the same organization. The new site gets the slug, the
-- domains, the roles, the permissions, the guests, the API keys, the limits, the appearance, the environment,
-- whether it is paused, and the setting that requires a second factor. The old site gets the slug p_aside,
-- and no longer answers requests. Returns how many domains, permissions and keys were moved. Refuses (P0002)
-- sites that do not exist or belong to different organizations, and a new site that does not answer requests.
-- Called by dev/restore-site.ts.
create or replace function public.replace_site(
  p_slug text, p_with text, p_aside text, out domains integer, out permissions integer, out keys integer
) language plpgsql as $$
declare
  old public.sites;
  new public.sites;
begin
  select s.* into old from public.sites s where s.slug = p_slug for update;
  select s.* into new from public.sites s
   where s.slug = p_with and s.is_active and s.organization_id = old.organization_id and s.id <> old.id
     for update;
  if new.id is null then
    raise no_data_found using message = 'there are no two such sites of one organization';
  end if;
  update public.sites s set slug = p_aside, is_active = false, suspended_by = 'service' where s.id = old.id;
  update public.sites s
     set slug = p_slug, name = old.name, environment = old.environment, paused = old.paused,
         branding = old.branding,
         requires_factor = old.requires_factor or new.requires_factor,
         roles = old.roles || coalesce((
           select jsonb_agg(r.role) from jsonb_array_elements(new.roles) r (role)
            where not old.roles @> jsonb_build_array(jsonb_build_object('name', r.role -> 'name'))), '[]')
   where s.id = new.id;
  insert into public.site_logos (site_id, hash, type, bytes)
  select new.id, l.hash, l.type, l.bytes from public.site_logos l where l.site_id = old.id
  on conflict (site_id) do update set hash = excluded.hash, type = excluded.type, bytes = excluded.bytes;
  update public.site_domains d set site_id = new.id where d.site_id = old.id;
  get diagnostics domains = row_count;
  insert into public.site_permissions (site_id, user_id, permissions, roles)
  select new.id, p.user_id, p.permissions, p.roles from public.site_permissions p where p.site_id = old.id
  on conflict (site_id, user_id) do update
    set permissions = excluded.permissions, roles = excluded.roles;
  get diagnostics permissions = row_count;
  insert into public.site_guests (site_id, user_id, since, joined_at, blocked_at)
  select new.id, g.user_id, g.since, g.joined_at, g.blocked_at
    from public.site_guests g where g.site_id = old.id
  on conflict do nothing;
  update public.api_keys k set site_id = new.id where k.site_id = old.id;
  get diagnostics keys = row_count;
  insert into public.site_limits (site_id, measure, soft, hard)
  select new.id, l.measure, l.soft, l.hard from public.site_limits l where l.site_id = old.id
  on conflict (site_id, measure) do update set soft = excluded.soft, hard = excluded.hard;
end $$;
