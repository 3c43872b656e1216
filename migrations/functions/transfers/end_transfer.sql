-- Ends a running transfer with the state p_state: `done`, `failed` or `cancelled`. If it is done, the site
-- that it created answers from now on; otherwise, that site is erased. Keeps the files of the archive only of
-- the last five exports of a site that are done, because exports would fill the database. p_keep: how long
-- the transfer itself is kept. Returns the transfer; no row if it has already ended. Called by
-- public.erase_site and src/operation/transfers.
create or replace function public.end_transfer(
  p_id uuid, p_state text, p_error text, p_keep interval
) returns setof public.transfers
language plpgsql as $$
declare
  transfer public.transfers;
begin
  update public.transfers t
     set state = p_state, error = p_error, ended_at = now(), expires_at = now() + p_keep, sealed = null,
         lease = null, leased_until = null
   where t.id = p_id and t.state in ('uploading', 'running') returning t.* into transfer;
  if not found then
    return;
  end if;
  if transfer.kind <> 'export' or p_state <> 'done' then
    delete from public.transfer_parts p where p.transfer_id = p_id;
  end if;
  if transfer.kind = 'export' and p_state = 'done' then
    delete from public.transfers t
     where t.id in (select x.id from public.transfers x
                     where x.site_id = transfer.site_id and x.kind = 'export' and x.state = 'done'
                     order by x.ended_at desc, x.id = p_id desc offset 5);
  end if;
  update public.sites s
     set is_active = p_state = 'done', suspended_by = case when p_state = 'done' then null else 'service' end,
         deletes_at = case when p_state = 'done' then null else now() end
   where s.id = transfer.target_id and (p_state <> 'done' or s.deletes_at is null);
  return next transfer;
end $$;
