-- Creates a site with its schema and the schema of what its guests may see, and returns it. It gets the
-- lowest number whose role is prepared (public.prepare_site), and otherwise makes a role. The role owns what
-- the tenant creates, may use its rows of the tables in the schema `tenant` (migrations/rights.sql), may
-- create views and functions in the schema of the guests, and has no other rights. A preview is paused.
-- Refuses (23505) a slug that another site has. Called by src/identity/organizations and dev/restore-site.ts.
create or replace function public.create_site(
  p_organization_id bigint, p_creator_id bigint, p_name text, p_slug text, p_environment text
) returns public.sites
language plpgsql as $$
declare
  site public.sites;
  tenant text;
  prepared bigint;
begin
  delete from public.prepared_sites p
   where p.id = (select x.id from public.prepared_sites x order by x.id limit 1 for update skip locked)
  returning p.id into prepared;
  insert into public.sites (id, organization_id, name, slug, environment, paused, created_by)
  overriding system value
  values (coalesce(prepared, nextval('public.sites_id_seq')), p_organization_id, p_name, p_slug,
          p_environment, p_environment = 'preview', p_creator_id)
  returning * into site;
  if prepared is null then
    perform public.make_site_role(site.id);
  end if;
  tenant := 'site_' || site.id;
  execute format('create schema %I', tenant);
  execute format('grant usage, create on schema %1$I to %1$I', tenant);
  execute format('create schema %I', tenant || '_guest');
  execute format('grant usage, create on schema %I to %I', tenant || '_guest', tenant);
  execute format('grant usage on schema %I to tessera_guest', tenant || '_guest');
  perform public.make_system_types(site.id);
  return site;
end $$;
