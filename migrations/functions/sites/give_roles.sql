-- Gives a person roles in a site, in addition to those that the person has. Ignores roles that the site does
-- not have. X2. Called by public.grant_invited and public.join_domain_groups.
create or replace function public.give_roles(p_site_id bigint, p_user_id bigint, p_roles text[]) returns void
language plpgsql as $$
declare
  own jsonb;
begin
  -- No role is removed meanwhile: public.keep_roles.
  select s.roles into own from public.sites s where s.id = p_site_id for share;
  insert into public.site_permissions as p (site_id, user_id, permissions, roles)
  select p_site_id, p_user_id, '{}', g.roles
    from (select public.roles_of(own, p_roles, null) as roles) g where g.roles <> '{}'
  on conflict (site_id, user_id) do update
    set roles = array(select distinct x.name from unnest(p.roles || excluded.roles) x (name) order by x.name);
end $$;
