-- Enters the site of a request, as public.enter does, and runs statements in it, as public.run_in_site does,
-- in one call: it is a transaction of its own, and Postgres is asked once instead of four times. The first
-- five parameters are those of public.enter; the rows are those of public.run_in_site. The first row has the
-- number -1, and the site and its catalog version as a JSON object.
--
-- Only for statements that read single rows by their keys: Postgres limits the time of this call as a whole,
-- by the timeout that the session had before. Waiting for a lock is limited as in public.run_in_site.
--
-- Refuses what the two functions refuse, and (P0001) another mode than 'read'. Called by src/db.
create or replace function public.read_in_site(
  p_host text, p_slug text, p_caller public.caller, p_permission text, p_visit public.visit,
  p_statements public.statements
) returns table (n integer, answer text)
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if p_visit.mode <> 'read' then
    raise exception 'only reads are possible in one call';
  end if;
  select -1, row_to_json(e)::text into n, answer
    from public.enter(p_host, p_slug, p_caller, p_permission, p_visit) e;
  return next;
  return query
    select r.n, r.answer
      from public.run_in_site(p_statements.texts, p_statements.parameters, p_statements.large) r;
end $$;
