-- Runs statements of the platform with the rights of the role that owns its tables. The role of the service
-- may execute only this function, public.run_in_site, public.run_in_part and the functions that enter a site
-- (public.allow_service), so every other statement of the service passes through one of these three.
-- Parameters, rows and errors are those of tessera.run. Called by src/kernel/db.
create or replace function public.run(p_statements text[], p_values text[], p_large text)
returns table (n integer, answer text) language sql security definer
set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '5s' as $$
  select r.n, r.answer from tessera.run(p_statements, p_values, p_large) r
$$;
