-- Returns whether the function that runs the statements of a site, or of guests, is as public.install_run
-- made it: its text, its owner, its settings, and that only its role and the platform's may execute it.
-- p_role: the name of the role. Called by public.run_in_site and migrations/rights.sql.
create or replace function public.is_run_intact(p_role text) returns boolean stable
language sql set search_path = pg_catalog, pg_temp as $$
  select exists (
    select from pg_proc p
     where p.oid = to_regprocedure(format('runs.%I(text[], text[], text)', p_role))
       and p.prosrc = public.text_of_run()
       and p.prosecdef and p.prolang = (select l.oid from pg_language l where l.lanname = 'sql')
       and p.proowner = to_regrole(quote_ident(p_role))
       and not exists (
         select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
          where a.grantee not in (p.proowner, current_user::regrole))
       and p.proconfig = array['search_path=' || public.path_of_run(p_role), 'TimeZone=UTC'])
$$;
