-- Compares what a site has used with its limits. Notes the hard limits that it has reached in sites.exceeded,
-- for public.enter, and writes each soft limit that it has reached to the audit, with a notice for everybody
-- who manages the site, once a month. Returns the measures of these soft limits. Called by src/kernel/db.
create or replace function public.judge_use(p_site_id bigint) returns setof text
language plpgsql as $$
declare
  this_month constant date := date_trunc('month', now() at time zone 'UTC');
  reached jsonb;
begin
  select jsonb_object_agg(l.measure, jsonb_build_object('limit', l.hard, 'month',
           case when l.measure not in ('records', 'bytes') then this_month end))
    into reached
    from public.site_limits l
   where l.site_id = p_site_id and public.use_of(p_site_id, l.measure, this_month) >= l.hard;
  update public.sites s set exceeded = reached
   where s.id = p_site_id and s.exceeded is distinct from reached;
  return query
    with told as (
      update public.site_limits l set told_for = this_month
       where l.site_id = p_site_id and l.told_for is distinct from this_month
         and public.use_of(p_site_id, l.measure, this_month) >= l.soft
      returning l.measure, l.soft
    ), written as (
      insert into public.audit_entries
        (organization_id, site_id, kind, action, object_id, object, changed, values)
      select s.organization_id, s.id, 'limit', 'change', t.measure, t.measure, '{}',
             jsonb_build_object('soft', jsonb_build_object('to', t.soft), 'used',
               jsonb_build_object('to', public.use_of(s.id, t.measure, this_month)))
        from told t, public.sites s where s.id = p_site_id
      returning object_id
    ), noticed as (
      insert into public.limit_notices (site_id, measure, month, user_id, soft, used)
      select s.id, t.measure, this_month, u.id, t.soft, public.use_of(s.id, t.measure, this_month)
        from told t join public.sites s on s.id = p_site_id
        join public.users u on u.is_active
        left join public.memberships m on m.organization_id = s.organization_id and m.user_id = u.id
        left join public.site_permissions p on p.site_id = s.id and p.user_id = u.id
       where 'admin_site' = any (public.held_permissions(
               null, s.organization_id, false, m.role, p.permissions))
      on conflict do nothing
    )
    select w.object_id from written w;
end $$;
