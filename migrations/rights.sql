-- The rights in the schemas of the service. Applied after the functions and triggers, at each db:migrate.

-- The roles of sites have no rights in the platform's schema, and no role may create temporary tables.
revoke all on schema public from public;
grant usage, create on schema public to current_user;
revoke execute on all functions in schema public from public;
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end $$;

-- The statements of every site and of guests may call the functions in `tessera`. They run with the rights of
-- their caller, except for tessera.claims and the functions that keep the answers of guests. The triggers of
-- the service's tables stand in `public`: a site can attach what it may execute to a table of its own.
grant usage on schema tessera to public;

-- The rights that all sites have to the tables in `tenant`: each to its own rows. Nobody has TRUNCATE,
-- REFERENCES or TRIGGER, which row-level security does not hold, nor DELETE or UPDATE of a whole table, with
-- which a site could lock out all others: sites update columns, and public.remove_gone deletes. The logs may
-- only be added to.
select public.make_role('tessera_site'), public.leave_role('tessera_site');
grant usage on schema tenant to tessera_site;
revoke all on all tables in schema tenant from tessera_site;
grant select, insert on all tables in schema tenant to tessera_site;
revoke insert on tenant._function_versions, tenant._schema_jobs from tessera_site;
-- The service acts as the account that began a change, so only the platform may say who that is, and what the
-- change does: it alone can seal a row. Until the next release, the one before adds rows as the site.
grant insert (table_name, request, created_by, generation) on tenant._schema_jobs to tessera_site;
do $$
declare
  shared record;
begin
  for shared in
    select c.oid::regclass as name, c.relrowsecurity as is_made,
           (select s.attstattarget from pg_attribute s
             where s.attrelid = c.oid and s.attname = 'site_id') as statistics,
           c.relname in ('_erasures', '_secret_history', '_secret_reads', '_function_versions',
                         '_mails') as is_log,
           (select string_agg(quote_ident(a.attname), ', ') from pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
               and a.attname <> 'site_id' and a.attgenerated = ''
               and not (c.relname = '_schema_jobs' and a.attname in (
                 'id', 'table_name', 'request', 'created_by', 'generation', 'is_sealed'))) as columns
      from pg_class c where c.relnamespace = 'tenant'::regnamespace and c.relkind = 'r'
  loop
    if not shared.is_log then
      execute format('grant update (%s) on %s to tessera_site', shared.columns, shared.name);
    end if;
    if not shared.is_made then
      -- Not forced: the functions of the platform, which owns the tables, work on the rows of all sites.
      execute format('alter table %s enable row level security', shared.name);
      execute format('create policy own on %s using (site_id = tessera.own_site())
                                              with check (site_id = tessera.own_site())', shared.name);
    end if;
    -- With statistics, Postgres expects one row of a site that they do not have, and then any index seems as
    -- good. Without them, it expects 1 in 200 rows of each site.
    if shared.statistics is distinct from 0 then
      execute format('alter table %s alter column site_id set statistics 0', shared.name);
    end if;
  end loop;
end $$;

-- The guests of all sites have one role. The views and functions of each site refuse the guests of others
-- (tessera.is_here).
do $$
begin
  if not public.is_run_intact('tessera_guest') then
    perform public.make_role('tessera_guest'), public.install_run('tessera_guest'),
            public.leave_role('tessera_guest');
  end if;
end $$;
select public.make_claim_key();
