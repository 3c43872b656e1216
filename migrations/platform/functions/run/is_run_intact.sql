-- Returns whether the function that runs the statements of a site, or of its guests, is as public.install_run
-- made it: its text, its owner, its settings, and that only its role and the platform's may execute it. Its
-- text may be an earlier one (public.earlier_runs) as long as public.migrate_site has not brought the site up
-- to date. p_site: the name of the schema. Called by public.run_in_site and public.install_runs.
create or replace function public.is_run_intact(p_site text) returns boolean stable
language sql set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from pg_proc p join pg_proc o on o.oid = 'public.run(text[], text[], text)'::regprocedure
     where p.oid = to_regprocedure(format('%I.%I(text[], text[], text)', p_site, 'run_' || p_site))
       and (p.prosrc = o.prosrc or exists (
         select from public.earlier_runs e
           join public.sites s on s.id = substring(p_site from '^site_(\d+)')::bigint
          where e.text = p.prosrc and s.sources_hash <> public.tenant_sources_hash()))
       and p.prosecdef and p.prolang = o.prolang
       and p.proowner = to_regrole(quote_ident(p_site))
       and not exists (
         select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
          where a.grantee not in (p.proowner, o.proowner))
       and p.proconfig = array[format('search_path=%s, pg_temp', p_site), 'TimeZone=UTC'])
$$;
