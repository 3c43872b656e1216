-- Begins a transfer (p_transfer) of a site, for its caller, who has the right to it. The site that it creates
-- (target_id) answers no requests until the transfer is done. p_open_max: how many transfers of an
-- organization may run at a time. p_bytes_max: how many bytes the tables of the source site may have.
--
-- Refuses as public.require_transfer_room does. Called by src/operation/transfers and dev/restore-site.ts.
create or replace function public.begin_transfer(
  p_transfer public.transfers, p_open_max integer, p_bytes_max bigint
) returns public.transfers
language plpgsql as $$
begin
  perform public.require_transfer_room(
    p_transfer.organization_id, case when p_transfer.kind <> 'import' then p_transfer.site_id end,
    p_open_max, p_bytes_max);
  if p_transfer.target_id is not null then
    update public.sites s set is_active = false, suspended_by = 'service' where s.id = p_transfer.target_id;
  end if;
  insert into public.transfers select p_transfer.* returning * into p_transfer;
  return p_transfer;
end $$;
