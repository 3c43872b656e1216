-- Attaches a person's social account to the account p_user_uuid, which was just made for the person.
-- p_vouched: the provider says that the e-mail is verified. Returns the provider's organization. Raises the
-- errors of public.use_social_app. Called by src/identity/login.
create or replace function public.link_social_account(
  p_identity public.social_identity, p_user_uuid uuid, p_vouched boolean
) returns bigint
language plpgsql as $$
declare
  site constant bigint := public.use_social_app(p_identity.host, p_identity.slug, p_identity.social_app_id);
begin
  insert into public.social_accounts (site_id, social_app_id, issuer, subject, user_id, is_vouched)
  select site, p_identity.social_app_id, p_identity.issuer, p_identity.subject, u.id, p_vouched
    from public.users u where u.uuid = p_user_uuid;
  return (select s.organization_id from public.sites s where s.id = site);
end $$;
