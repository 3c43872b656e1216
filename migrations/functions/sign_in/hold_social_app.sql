-- Locks a social app of the site that a request names until the end of the transaction, so that nobody can
-- start to use it, and returns how many users sign in with it. Called by src/identity/login.
create or replace function public.hold_social_app(p_host text, p_slug text, p_social_app_id bigint)
returns integer
language plpgsql as $$
declare
  site constant bigint := coalesce(
    (select s.id from public.sites s where s.slug = public.site_at(p_host, p_slug)), 0);
begin
  perform from tenant._social_apps a where a.site_id = site and a.id = p_social_app_id for update;
  return (select count(distinct a.user_id) from public.social_accounts a
           where a.site_id = site and a.social_app_id = p_social_app_id);
end $$;
