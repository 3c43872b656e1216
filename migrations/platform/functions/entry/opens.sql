-- Whether a provider of an organization opens an account.
create or replace function public.opens(p_organization bigint, p_user bigint) returns boolean stable
language sql as $$
  select exists (
    select from public.social_accounts a join public.sites s on s.id = a.site_id
     where a.user_id = p_user and s.organization_id = p_organization)
$$;
