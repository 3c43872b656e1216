-- Runs the statements of one site in a request that reads in several (p_part), for a caller who may enter
-- the site: public.enter decides as for every request. The statement that calls it is a part of its own,
-- with its own time (public.limit_part), and other parts follow in the same transaction.
--
-- A site has no effect on the parts after its own: the part is undone when its rows are there, with all
-- settings, objects and locks, so that nothing but the rows is left; no statement executes one that a
-- session keeps. An error of the part is its result: one row without a number, whose answer is the
-- SQLSTATE. Also one that a statement raises itself, and the end of its time. Otherwise parameters and rows
-- are those of tessera.run, and the audit of the site gets an entry that names the read (p_part.read).
-- Raises nothing. Called by src/kernel/db.
create or replace function public.run_in_part(
  p_caller public.caller, p_part public.part, p_statements text[], p_values text[], p_large text
) returns table (n integer, answer text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  failure text;
  has_run boolean := false;
  numbers integer[];
  answers text[];
begin
  begin
    perform public.enter(null, p_part.slug, p_caller, 'access_site',
      row(p_part.site_id, p_part.catalog_version, 'read', p_part.timeout_ms)::public.visit);
    select array_agg(r.n), array_agg(r.answer) into numbers, answers
      from public.run_in_site(p_statements, p_values, p_large) r where r.n > 0;
    if (select sum(octet_length(a)) from unnest(answers) a) > p_part.bytes_max then
      raise sqlstate 'TS425' using message = 'the rows are too long';
    end if;
    has_run := true;
    raise sqlstate 'TS207' using message = 'the end of a part';
  -- `others` leaves out the first two, which a statement could raise, too.
  exception when query_canceled or assert_failure or others then
    failure := case when not has_run then sqlstate end;
  end;
  perform pg_advisory_unlock_all();
  if failure is null and p_part.read is not null then
    perform public.note_read(p_caller, p_part.site_id, 'records_read', p_part.read, p_part.read);
  end if;
  if failure is null then
    return query select x.n, x.answer from unnest(numbers, answers) x (n, answer);
  else
    answer := failure;
    return next;
  end if;
  if p_part.next is not null then
    perform public.limit_part(p_part.next, p_part.parts_left);
  end if;
end $$;
