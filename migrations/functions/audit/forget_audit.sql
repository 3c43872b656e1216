-- Deletes entries of the audit that are older than p_days, at most 10,000 at a time, and returns how many it
-- deleted. Called by src/identity/audit.
create or replace function public.forget_audit(p_days integer) returns integer
language plpgsql as $$
declare
  deleted_count integer;
begin
  perform set_config('tessera.forgets', 'on', true);
  delete from public.audit_entries e
   where e.id in (select x.id from public.audit_entries x
                   where x.at < now() - make_interval(days => p_days)
                   order by x.at limit 10000);
  get diagnostics deleted_count = row_count;
  perform set_config('tessera.forgets', '', true);
  return deleted_count;
end $$;
