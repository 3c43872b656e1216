-- Runs statements as tessera.run does, and undoes what they wrote: for dry runs. Parameters and rows are
-- those of tessera.run. tessera.next_number counts apart from the sequences. Raises the errors of the
-- statements. Called by tessera.run.
create or replace function tessera.run_dry(p_statements text[], p_values text[], p_large text)
returns table (n integer, answer text) language plpgsql as $$
begin
  perform set_config('tessera.dry_numbers', '{}', true);
  return query select r.n, r.answer from tessera.run(p_statements, p_values, p_large) r;
  raise sqlstate 'TS207' using message = 'the end of a dry run';
exception when sqlstate 'TS207' then
  -- The returned rows stay: they are not part of the transaction.
  return;
end $$;
