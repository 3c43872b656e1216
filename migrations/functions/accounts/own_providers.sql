-- Returns the providers that can sign in to an account. Their names are null if the site has no social app
-- with this id. Called by src/identity/accounts and public.export_credentials.
create or replace function public.own_providers(p_user_id bigint)
returns table (id bigint, site text, organization text, provider text, name text, created timestamptz,
               last_login timestamptz)
language sql stable as $$
  select a.id, s.slug, o.slug, x.handle, x.name, a.created, a.last_login
    from public.social_accounts a
    join public.sites s on s.id = a.site_id
    join public.organizations o on o.id = s.organization_id
    left join tenant._social_apps x on x.site_id = a.site_id and x.id = a.social_app_id
   where a.user_id = p_user_id
$$;
