-- Returns the text of the functions in the schema `runs`. Called by public.install_run and
-- public.is_run_intact.
create or replace function public.text_of_run() returns text immutable parallel safe
language sql as $$ select 'select r.n, r.answer from tessera.run($1, $2, $3) r' $$;
