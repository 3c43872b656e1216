-- Runs statements with the rights of its caller: the one text that public.run and the functions of all sites
-- (public.install_run) call.
--
--   p_statements  the statements. The first letter of each says what it returns. r: rows, each as a JSON
--                 object. q: the rows of a query that may run in parallel, unchanged; its columns are the
--                 statement's number and a text. c: nothing. k: as r, and later statements get these rows. b:
--                 as k, by tessera.run_step. f: nothing; it is a part of the next b. p: as k, by
--                 tessera.write_parts with $1. s: as r, and if there is a row, the run ends. d: nothing, and
--                 what the statements after it write is undone. o:
--                 the columns of its only row, if it has one, as a JSON object; Postgres plans them in half
--                 the time that it takes for their JSON. x: the second of two, which prepares what the
--                 first one executes, by tessera.keep_plan; it is no template, and has a row without a
--                 number, before all others, if it was not prepared. %1$L stands for the first value, %% for
--                 a percent sign.
--   p_values      the values of all statements. `format` quotes them, so that a value never becomes SQL.
--   p_large       a value that is too large to be quoted: $1 in a statement. $2 is an array with the rows of
--                 the statements k, b and p so far; each is the text of a JSON array of the statement's
--                 number and the row.
--   n, answer     a row of the result: the number of its statement, from 1, and the row.
--
-- Raises the errors of the statements. Refuses (TS425) rows that have more than 24 MiB together: twice an
-- answer of src/data, because its JSON is a text in the JSON of a row. A statement q bounds its own rows.
-- Rows of up to 10 MB are fetched one by one, because a loop over a query would read 50 of them ahead. Called
-- by public.run, tessera.run_dry, and the functions in the schema `runs` (public.text_of_run).
create or replace function tessera.run(p_statements text[], p_values text[], p_large text)
returns table (n integer, answer text) language plpgsql as $$
declare
  kind pg_catalog.text;
  statement pg_catalog.text;
  found_row pg_catalog.record;
  opened pg_catalog.refcursor;
  kept pg_catalog.text[] := '{}';
  bytes_max constant integer := 25165824;
  bytes bigint := 0;
  steps integer := 0;
  found_count integer;
begin
  if p_statements[2] like 'x%' and tessera.keep_plan(substr(p_statements[2], 2)) then
    answer := 'true';
    return next;
  end if;
  for position in 1 .. cardinality(p_statements) loop
    n := position;
    kind := left(p_statements[position], 1);
    exit when kind = 'x';
    statement := format(substr(p_statements[position], 2), variadic p_values);
    case kind
      when 'q' then
        return query execute statement using p_large;
      when 'o' then
        execute statement into found_row using p_large;
        get diagnostics found_count = row_count;
        continue when found_count = 0;
        answer := row_to_json(found_row);
        bytes := tessera.add_bytes(bytes, octet_length(answer), bytes_max);
        return next;
      when 'r', 'k', 's' then
        answer := null;
        open opened no scroll for execute statement using p_large, kept;
        loop
          fetch opened into found_row;
          exit when not found;
          answer := row_to_json(found_row);
          bytes := tessera.add_bytes(bytes, octet_length(answer), bytes_max);
          if kind = 'k' then
            kept[cardinality(kept) + 1] := format('[%s,%s]', n, answer);
          end if;
          return next;
        end loop;
        close opened;
        exit when kind = 's' and answer is not null;
      when 'b', 'p' then
        steps := steps + (kind = 'b')::integer;
        for answer in select w from tessera.run_step(statement, p_large, kept, steps) w where kind = 'b'
                      union all select w from tessera.write_parts(statement, p_large) w where kind = 'p' loop
          bytes := tessera.add_bytes(bytes, octet_length(answer), bytes_max);
          kept[cardinality(kept) + 1] := format('[%s,%s]', n, answer);
          return next;
        end loop;
      when 'f' then
        perform tessera.run_step(statement, p_large, kept, steps + 1);
      when 'd' then
        return query select r.n + position, r.answer
                       from tessera.run_dry(p_statements[position + 1:], p_values, p_large) r;
        exit;
      else
        execute statement using p_large, kept;
    end case;
  end loop;
  -- At the commit, Postgres before version 18 runs deferred triggers with the rights of the session.
  set constraints all immediate;
  execute 'close all';
end $$;
