-- Does the next step of erasing a site that can no longer be restored: drops up to p_most of its views,
-- tables and functions; when none is left, deletes up to 10,000 of its rows from each table of the schema
-- `tenant`; and then its schemas, its role, and its rows in the platform's tables, except the audit of its
-- organization. Returns whether there may be another step. The first step makes its encrypted values
-- unreadable, by deleting its data keys, and ends the transfer that creates the site.
--
-- Roles belong to the server: a role that another database uses stays, without rights in this one. Called by
-- src/identity/organizations.
create or replace function public.erase_site(p_site_id bigint, p_most integer) returns boolean
language plpgsql as $$
declare
  tenant constant text := 'site_' || p_site_id;
  doomed record;
  dropped integer := 0;
begin
  perform from public.sites s where s.id = p_site_id and s.deletes_at <= now() for update;
  if not found then
    return false;
  end if;
  delete from public.data_keys d where d.site_id = p_site_id;
  delete from public.transfers t where t.site_id = p_site_id and t.kind = 'export';
  perform public.end_transfer(t.id, 'failed', 'The site was deleted meanwhile.', interval '30 days')
     from public.transfers t where t.target_id = p_site_id and t.state in ('uploading', 'running');
  -- The views of guests come first: they depend on tables. Postgres locks each object that a statement drops.
  for doomed in
    select kind, name
      from unnest(array[tenant || '_guest', tenant]) schema cross join lateral (
             select case c.relkind when 'v' then 'view' else 'table' end, format('%I.%I', schema, c.relname)
               from public.objects_of(schema, 'pg_class') o join pg_class c on c.oid = o.id
              where c.relkind in ('r', 'p', 'v')
             union all
             select 'routine', o.id::regprocedure::text from public.objects_of(schema, 'pg_proc') o
           ) d (kind, name)
     order by kind desc limit p_most
  loop
    execute format('drop %s if exists %s cascade', doomed.kind, doomed.name);
    dropped := dropped + 1;
  end loop;
  if dropped > 0 then
    return true;
  end if;

  if public.erase_rows(p_site_id) then
    return true;
  end if;

  execute format('drop schema if exists %I, %I cascade', tenant || '_guest', tenant);
  execute format('drop function if exists runs.%I', tenant);
  -- The role may have default rights and large objects, too.
  perform public.make_role(tenant);
  execute format('drop owned by %I', tenant);
  begin
    execute format('drop role %I', tenant);
  exception when dependent_objects_still_exist then
    perform public.leave_role(tenant);
  end;
  -- The audit of these rows needs the site. All other rows are deleted with it.
  delete from public.site_domains d where d.site_id = p_site_id;
  delete from public.site_permissions p where p.site_id = p_site_id;
  delete from public.api_keys k where k.site_id = p_site_id;
  delete from public.social_accounts a where a.site_id = p_site_id;
  delete from public.sites s where s.id = p_site_id;
  return false;
end $$;
