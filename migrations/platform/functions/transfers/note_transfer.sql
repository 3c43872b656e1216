-- Lets the statements that follow in this transaction read and make the sites of a transfer, also one that
-- answers nobody yet. p_lease: that of the Worker that carries it out. p_next: what is done once the
-- transaction is committed, as columns of public.transfers; null: it does no step.
--
-- Refuses (TS452) a transfer that has ended, and one that another Worker carries out by now. A transfer
-- cannot end before the transaction does. Called by src/db.
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
  perform set_config('tessera.transfer', concat_ws(',', transfer.site_id, transfer.target_id), true);
end $$;
