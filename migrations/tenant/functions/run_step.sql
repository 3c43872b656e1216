-- Runs a step of a batch: a statement that writes records, in a subtransaction, so that each step gives the
-- records that it writes another version. Its row is returned as a JSON object.
--
--   p_statement  the statement. Its parameters are those of public.run.
--   p_large      $1
--   p_kept       $2
--   p_step       the number of the step, from 1. A failure has it as its hint: `step 3`.
--
-- Refuses what the statement refuses, and (TS427) conflicts, which are members of its column "conflicts" that
-- are not null: its detail is that column. Called by public.run.
create or replace function tessera.run_step(p_statement text, p_large text, p_kept text[], p_step integer)
returns setof text language plpgsql as $$
declare
  found_row record;
  written json;
  state text;
  message text;
  broken text;
  in_table text;
  in_column text;
  detail text;
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
