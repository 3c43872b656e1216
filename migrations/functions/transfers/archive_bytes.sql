-- Returns how many bytes the archives of transfers store: those of the organization of the transfer p_id, or
-- those of the account that began it, whichever is more. Locks both until the end of the transaction, so that
-- parts which are stored at the same time count, too. Called by src/operation/transfers.
create or replace function public.archive_bytes(p_id uuid) returns bigint
language plpgsql as $$
declare
  transfer public.transfers;
begin
  select t.* into transfer from public.transfers t where t.id = p_id;
  perform from public.organizations o where o.id = transfer.organization_id for no key update;
  perform from public.users u where u.id = transfer.created_by for no key update;
  return (
    select greatest(sum(octet_length(p.content)) filter (where t.organization_id = transfer.organization_id),
                    sum(octet_length(p.content)) filter (where t.created_by = transfer.created_by), 0)
      from public.transfers t join public.transfer_parts p on p.transfer_id = t.id
     where t.organization_id = transfer.organization_id or t.created_by = transfer.created_by);
end $$;
