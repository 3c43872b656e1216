-- Locks a social app of the site that a request names until the end of the transaction, so that nobody can
-- start to use it, and returns how many users sign in with it. Called by src/login.
create or replace function public.hold_social_app(p_host text, p_slug text, p_social_app_id bigint)
returns integer
language plpgsql as $$
declare
  site constant bigint := coalesce(
    (select s.id from public.sites s where s.slug = public.site_at(p_host, p_slug)), 0);
begin
  if to_regclass(format('%I._social_apps', 'site_' || site)) is null then
    return 0;
  end if;
  execute format('select from %I._social_apps a where a.id = $1 for update', 'site_' || site)
    using p_social_app_id;
  return (select count(distinct a.user_id) from public.social_accounts a
           where a.site_id = site and a.social_app_id = p_social_app_id);
end $$;
