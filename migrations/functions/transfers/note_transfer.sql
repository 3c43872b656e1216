-- Lets the statements that follow in this transaction read and fill the sites of a transfer, also a site that
-- does not answer requests yet, but not a deleted one. p_lease: the lease of the Worker that carries out the
-- transfer. p_next: the state of the transfer after the commit, as columns of public.transfers; null: the
-- transaction does no step.
--
-- Refuses (TS452) a transfer that has ended, and one that another Worker has taken over. The transfer cannot
-- end before the transaction does. Called by src/kernel/db.
create or replace function public.note_transfer(p_id uuid, p_lease uuid, p_next jsonb) returns void
language plpgsql as $$
declare
  transfer public.transfers;
begin
  if p_next is null then
    select t.* into transfer from public.transfers t
     where t.id = p_id and t.lease = p_lease and t.state = 'running' for share;
  else
    update public.transfers t
       set position = (p_next ->> 'position')::integer, place = nullif(p_next -> 'place', 'null'),
           counts = p_next -> 'counts', notes = p_next -> 'notes', attempts = 0,
           tasks = coalesce(nullif(p_next -> 'tasks', 'null')::json, t.tasks),
           leased_until = now() + interval '2 minutes'
     where t.id = p_id and t.lease = p_lease and t.state = 'running' returning t.* into transfer;
  end if;
  if transfer.id is null then
    raise sqlstate 'TS452' using message = 'the transfer has ended, or another Worker carries it out';
  end if;
  perform set_config('tessera.transfer', coalesce(
    (select string_agg(s.id::text, ',') from public.sites s
      where s.id in (transfer.site_id, transfer.target_id) and s.deletes_at is null), ''), true);
end $$;
