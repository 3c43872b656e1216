-- From now on an account that was just made is the one whom the provider named. Answers the provider's organization.
create or replace function public.link_social_account(
  p_host text, p_slug text, p_app bigint, p_issuer text, p_subject text, p_user uuid, p_vouched boolean
) returns bigint language plpgsql as $$
declare
  site bigint := public.use_social_app(p_host, p_slug, p_app);
begin
  insert into public.social_accounts (site_id, social_app_id, issuer, subject, user_id, is_vouched)
  select site, p_app, p_issuer, p_subject, u.id, p_vouched from public.users u where u.uuid = p_user;
  return (select s.organization_id from public.sites s where s.id = site);
end $$;
