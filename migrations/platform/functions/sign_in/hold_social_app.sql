-- Takes the row of a social app until the end of the transaction, so that nobody begins to use it; answers how many users
-- sign in with it, and says so to the statements that follow.
create or replace function public.hold_social_app(p_host text, p_slug text, p_app bigint) returns integer
language plpgsql as $$
declare
  site bigint := coalesce((select s.id from public.sites s where s.slug = public.site_at(p_host, p_slug)), 0);
  users integer := 0;
begin
  if to_regclass(format('%I._social_apps', 'site_' || site)) is not null then
    execute format('select from %I._social_apps a where a.id = $1 for update', 'site_' || site) using p_app;
    select count(distinct a.user_id) into users from public.social_accounts a where a.site_id = site and a.social_app_id = p_app;
  end if;
  perform set_config('tessera.social_users', users::text, true);
  return users;
end $$;
