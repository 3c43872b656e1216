-- Notes that a request comes from a run of a function, for the events that it causes: they know their place
-- in the chain of causes. p_host and p_slug: what the request names its site by. p_site_id: the site of the
-- run. p_invocation_id and p_attempt: the run. p_is_stored: whether its invocation is stored while it runs.
-- p_depth: its own place in the chain.
--
-- Refuses (TS401) a run of another site, and one that has ended. Called by src/db.
create or replace function public.note_run(
  p_host text, p_slug text, p_site_id bigint, p_invocation_id bigint, p_attempt integer, p_is_stored boolean,
  p_depth integer
) returns void
language plpgsql as $$
declare
  is_running boolean;
begin
  if public.site_at(p_host, p_slug) is distinct from
     (select s.slug from public.sites s where s.id = p_site_id) then
    raise sqlstate 'TS401' using message = 'the run is of another site';
  end if;
  execute format('select i.status = ''STARTED'' and i.attempts = $2 from %I._invocations i where i.id = $1',
                 'site_' || p_site_id)
    into is_running using p_invocation_id, p_attempt;
  if not coalesce(is_running, not p_is_stored) then
    raise sqlstate 'TS401' using message = 'the run has ended';
  end if;
  perform set_config('tessera.depth', (p_depth + 1)::text, true);
end $$;
