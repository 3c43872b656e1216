-- The site of a request, and of it the row of a social app that must not go before the transaction ends. TS404 without.
create or replace function public.use_social_app(p_host text, p_slug text, p_app bigint) returns bigint
language plpgsql as $$
declare
  site bigint := coalesce((select s.id from public.sites s where s.slug = public.site_at(p_host, p_slug)), 0);
  present boolean;
begin
  if to_regclass(format('%I._social_apps', 'site_' || site)) is not null then
    execute format('select true from %I._social_apps a where a.id = $1 for key share', 'site_' || site) into present using p_app;
  end if;
  if present is null then
    raise sqlstate 'TS404' using message = 'no such social app';
  end if;
  return site;
end $$;
