-- Runs a step of a batch: a statement that writes records. It runs in a subtransaction, so that the records
-- of each step get another version. Returns its rows as JSON objects.
--
--   p_statement  the statement. Its parameters are those of tessera.run.
--   p_large      $1
--   p_kept       $2
--   p_step       the number of the step, from 1. It is the hint of an error: `step 3`.
--
-- Raises the errors of the statement. Refuses (TS427) conflicts: members of its column "conflicts" that are
-- not null. The detail of the error is that column. Called by tessera.run.
create or replace function tessera.run_step(p_statement text, p_large text, p_kept text[], p_step integer)
returns setof text language plpgsql as $$
declare
  found_row pg_catalog.record;
  written pg_catalog.json;
  state pg_catalog.text;
  message pg_catalog.text;
  broken pg_catalog.text;
  in_table pg_catalog.text;
  in_column pg_catalog.text;
  detail pg_catalog.text;
begin
  for found_row in execute p_statement using p_large, p_kept loop
    written := row_to_json(found_row);
    if exists (select from json_each(written -> 'conflicts') c where json_typeof(c.value) <> 'null') then
      raise sqlstate 'TS427' using message = 'a step has conflicts', detail = written ->> 'conflicts';
    end if;
    return next written::text;
  end loop;
  set constraints all immediate;
exception when others then
  get stacked diagnostics state = returned_sqlstate, message = message_text, broken = constraint_name,
    in_table = table_name, in_column = column_name, detail = pg_exception_detail;
  raise exception using errcode = state, message = message, detail = detail, hint = 'step ' || p_step,
    constraint = broken, table = in_table, column = in_column;
end $$;
