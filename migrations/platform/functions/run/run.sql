-- Runs statements of the platform, as the role that owns its tables. Every statement of the service comes this way: its
-- own role owns nothing and may do nothing but execute this function and public.run_in_site.
--
-- p_statements  each begins with a letter that says what it returns: r = rows, answered as one JSON object each;
--               t = rows of one text column, answered as they are; q = the same by a query that may run in parallel, whose
--               columns are its number and its text; c = nothing. A value stands in the text as %1$L, a percent sign as %%.
-- p_values      the values of all statements. `format` quotes them, so that a value never becomes SQL.
-- p_large       a value that is too large to be quoted: $1 in the text.
-- n, answer     the number of the statement, from 1, and a row of it.
create or replace function public.run(p_statements text[], p_values text[], p_large text)
returns table (n integer, answer text) language plpgsql security definer
set search_path = public, pg_temp set timezone = 'UTC' set lock_timeout = '5s' as $$
declare
  statement text;
  found_row record;
begin
  for position in 1 .. cardinality(p_statements) loop
    n := position;
    statement := format(substr(p_statements[position], 2), variadic p_values);
    case left(p_statements[position], 1)
      when 'r' then
        for found_row in execute statement using p_large loop
          answer := row_to_json(found_row);
          return next;
        end loop;
      when 't' then
        for answer in execute statement using p_large loop
          return next;
        end loop;
      when 'q' then
        return query execute statement using p_large;
      else
        execute statement using p_large;
    end case;
  end loop;
  -- Whatever a statement has put off until the commit happens now, while the rights of its function hold: Postgres before
  -- version 18 would run it with the rights of the session.
  set constraints all immediate;
  execute 'close all';
end $$;
