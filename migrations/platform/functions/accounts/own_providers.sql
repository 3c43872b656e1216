-- Returns the providers that can sign in to an account. The names of a provider are stored in its site:
-- provider and name are null if the site has no social app with this id. Called by src/accounts and
-- public.export_credentials.
create or replace function public.own_providers(p_user_id bigint)
returns table (id bigint, site text, organization text, provider text, name text, created timestamptz,
               last_login timestamptz)
language plpgsql stable as $$
declare
  link record;
begin
  for link in
    select a.id, a.social_app_id, a.site_id, a.created, a.last_login, s.slug as site, o.slug as organization
      from public.social_accounts a
      join public.sites s on s.id = a.site_id
      join public.organizations o on o.id = s.organization_id
     where a.user_id = p_user_id
  loop
    provider := null;
    name := null;
    if to_regclass(format('%I._social_apps', 'site_' || link.site_id)) is not null then
      execute format('select x.handle, x.name from %I._social_apps x where x.id = $1',
                     'site_' || link.site_id)
        into provider, name using link.social_app_id;
    end if;
    id := link.id;
    site := link.site;
    organization := link.organization;
    created := link.created;
    last_login := link.last_login;
    return next;
  end loop;
end $$;
