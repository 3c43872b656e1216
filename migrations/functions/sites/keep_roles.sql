-- Refuses to remove a role from a site that access rules, people, pending invitations or the sign-up rules
-- use (TS446, with the uses of each as the detail), and a sign-up rule that gives a role which the site does
-- not have (TS447, with its name). X2. Whoever gives a role locks the row of the site, so that this sees it
-- or is seen. A trigger of sites.
create or replace function public.keep_roles() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  names constant text[] := array(select r.role ->> 'name' from jsonb_array_elements(new.roles) r (role));
  gone constant text[] := array(select r.role ->> 'name' from jsonb_array_elements(old.roles) r (role)
                                 where r.role ->> 'name' <> all (names));
  missing constant text := (
    select min(r.rule ->> 'role') from jsonb_array_elements(new.domain_groups) r (rule)
     where r.rule ->> 'role' <> all (names || gone));
  uses text;
begin
  if missing is not null then
    raise sqlstate 'TS447' using message = 'the site has no such role', detail = missing;
  end if;
  select string_agg(format('%s is used by %s', to_json(g.name), u.list), '; ' order by g.name) into uses
    from unnest(gone) g (name), lateral (
      select string_agg(x.use, ', ' order by x.place, x.use) as list from (
        (select 1, format('the rule %s of %s/%s', to_json(rule #>> '{}'), a.slug, d.name)
          from tenant._datatables d
          join tenant._apps a on a.site_id = d.site_id and a.id = d.app_id,
               jsonb_path_query(d.json_schema::jsonb, '$.access.rules[*] ? (@.who == $who).name',
                                jsonb_build_object('who', 'role:' || g.name)) rule
         where d.site_id = new.id
         limit 20)
        union all
        (select 1, format('the rule %s of %s', to_json(rule #>> '{}'), a.slug)
          from tenant._apps a,
               jsonb_path_query(a.rules::jsonb, '$[*] ? (@.who == $who).name',
                                jsonb_build_object('who', 'role:' || g.name)) rule
         where a.site_id = new.id
         limit 20)
        union all
        (select 2, case when public.knows_person(new.organization_id, u.id) then u.username
                       else 'the account ' || u.id end
          from public.site_permissions p join public.users u on u.id = p.user_id
         where p.site_id = new.id and g.name = any (p.roles)
         limit 20)
        union all
        select 3, count(*) || case count(*) when 1 then ' invitation' else ' invitations' end
          from public.invitations i
         where i.organization_id = new.organization_id and public.is_pending(i)
           and i.config -> 'site' @> jsonb_build_array(
                 jsonb_build_object('slug', new.slug, 'roles', jsonb_build_array(g.name)))
        having count(*) > 0
        union all
        select 4, format('the sign-up rule of %s', r.rule ->> 'domain')
          from jsonb_array_elements(new.domain_groups) r (rule) where r.rule ->> 'role' = g.name
      ) x (place, use)) u
   where u.list is not null;
  if uses is not null then
    raise sqlstate 'TS446' using message = 'a role is used', detail = uses;
  end if;
  return new;
end $$;
