-- Deletes the entries that are older than so many days, some at a time. Answers how many that were.
create or replace function public.forget_audit(p_days integer) returns integer
language plpgsql as $$
declare
  forgotten integer;
begin
  perform set_config('tessera.forgets', 'on', true);
  delete from public.audit_entries e
   where e.id in (select x.id from public.audit_entries x where x.at < now() - make_interval(days => p_days) order by x.at limit 10000);
  get diagnostics forgotten = row_count;
  perform set_config('tessera.forgets', '', true);
  return forgotten;
end $$;
