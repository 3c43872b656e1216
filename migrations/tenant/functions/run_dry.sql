-- Runs statements as public.run does, in the schema of the search path, and undoes what they wrote: for dry
-- runs. Parameters and rows are those of public.run. The values of sequences are not undone. Raises the
-- errors of the statements. Called by public.run.
create or replace function tessera.run_dry(p_statements text[], p_values text[], p_large text)
returns table (n integer, answer text) language plpgsql as $$
begin
  return query execute format('select r.n, r.answer from %I($1, $2, $3) r',
    case current_schema() when 'public' then 'run' else 'run_' || current_schema() end)
    using p_statements, p_values, p_large;
  raise sqlstate 'TS207' using message = 'the end of a dry run';
exception when sqlstate 'TS207' then
  -- The returned rows stay: they are not part of the transaction.
  return;
end $$;
