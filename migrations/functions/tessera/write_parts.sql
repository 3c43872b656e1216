-- Writes records in parts, as many at a time as Postgres accepts, so that an invalid record does not prevent
-- the others. If Postgres refuses a part, it is split in two, until one record is left. Records are written
-- in the order of the array.
--
--   p_statement  writes the records of a JSON array, which is $1, and returns one row. If a member of its
--                column "conflicts" is not null, it wrote nothing.
--   p_records    the text of a JSON array
--   answer       a JSON object for each part: the position of its "first" record, and the "row" of the
--                statement, or the "failure" of its only record
--
-- Raises the errors of the statement that cannot be caused by a record. Called by tessera.run.
create or replace function tessera.write_parts(p_statement text, p_records text) returns setof text
language plpgsql as $$
declare
  records constant pg_catalog.jsonb[] := array(
    select r.record from jsonb_array_elements(p_records::jsonb) with ordinality r (record, place)
     order by r.place);
  -- The first and the last record of each remaining part. The next part is at the end.
  firsts integer[] := array[1];
  lasts integer[] := array[cardinality(records)];
  top integer := 1;
  first_one integer;
  last_one integer;
  found_row pg_catalog.record;
  written pg_catalog.json;
  failure pg_catalog.json;
  state pg_catalog.text;
  broken pg_catalog.text;
  in_table pg_catalog.text;
  in_column pg_catalog.text;
  detail pg_catalog.text;
begin
  while top > 0 loop
    first_one := firsts[top];
    last_one := lasts[top];
    top := top - 1;
    failure := null;
    begin
      execute p_statement into found_row using to_jsonb(records[first_one:last_one])::text;
      set constraints all immediate;
      written := row_to_json(found_row);
    exception
      when data_exception or integrity_constraint_violation or sqlstate '54000' or sqlstate 'TS422'
           or sqlstate 'TS427' then
        get stacked diagnostics state = returned_sqlstate, broken = constraint_name,
          in_table = table_name, in_column = column_name, detail = pg_exception_detail;
        failure := json_build_object('code', state, 'constraint', broken, 'table', in_table,
                                     'column', in_column, 'detail', detail);
    end;
    if last_one > first_one
       and (failure is not null
            or exists (select from json_each(written -> 'conflicts') c where json_typeof(c.value) <> 'null'))
    then
      firsts[top + 1] := (first_one + last_one) / 2 + 1;
      lasts[top + 1] := last_one;
      firsts[top + 2] := first_one;
      lasts[top + 2] := (first_one + last_one) / 2;
      top := top + 2;
    elsif failure is null then
      return next json_build_object('first', first_one - 1, 'row', written)::text;
    else
      return next json_build_object('first', first_one - 1, 'failure', failure)::text;
    end if;
  end loop;
end $$;
