-- Notes that a request comes from a run of a function, so that the events of the request get their depth in
-- the chain of causes. p_host and p_slug: the host and the slug by which the request names its site. p_run:
-- see the type.
--
-- Refuses (TS401) a run of another site, and a run that has ended. Called by src/kernel/db.
create or replace function public.note_run(
  p_host text, p_slug text, p_run public.function_run
) returns void
language plpgsql as $$
declare
  is_running constant boolean := (
    select i.status = 'STARTED' and i.attempts = p_run.attempt from tenant._invocations i
     where i.site_id = p_run.site_id and i.id = p_run.invocation_id);
begin
  if public.site_at(p_host, p_slug) is distinct from
     (select s.slug from public.sites s where s.id = p_run.site_id) then
    raise sqlstate 'TS401' using message = 'the run is of another site';
  end if;
  if not coalesce(is_running, not p_run.is_stored) then
    raise sqlstate 'TS401' using message = 'the run has ended';
  end if;
  perform set_config('tessera.depth', (p_run.depth + 1)::text, true);
end $$;
