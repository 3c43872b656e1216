-- From now on an account that was just made is whom the provider named.
create or replace function public.link_social_account(p_host text, p_slug text, p_app bigint, p_issuer text, p_subject text, p_user uuid) returns void
language plpgsql as $$
declare
  site bigint := public.use_social_app(p_host, p_slug, p_app);
begin
  insert into public.social_accounts (site_id, social_app_id, issuer, subject, user_id)
  select site, p_app, p_issuer, p_subject, u.id from public.users u where u.uuid = p_user;
end $$;
