-- Begins a transfer (p_transfer) of a site, for its caller, who has the right to it. The site that it creates
-- (target_id) answers no requests until the transfer is done. p_open_max: how many transfers of an
-- organization may run at a time. p_bytes_max: how many bytes the tables of the source site may have.
--
-- Refuses: TS432 the site is deleted, with `deleted` as the detail; TS450 too many transfers are running;
-- TS451 the tables have more bytes, with their number as the detail. Called by src/transfers and
-- dev/restore-site.ts.
create or replace function public.begin_transfer(
  p_transfer public.transfers, p_open_max integer, p_bytes_max bigint
) returns public.transfers
language plpgsql as $$
declare
  bytes bigint;
begin
  perform from public.organizations o where o.id = p_transfer.organization_id for no key update;
  if (select count(*) from public.transfers t
       where t.organization_id = p_transfer.organization_id and t.state in ('uploading', 'running'))
     >= p_open_max then
    raise sqlstate 'TS450' using message = 'too many transfers go on';
  end if;
  if p_transfer.kind <> 'import' then
    if exists (select from public.sites s where s.id = p_transfer.site_id and s.deletes_at is not null) then
      raise sqlstate 'TS432' using message = 'the site is deleted', detail = 'deleted';
    end if;
    select sum(pg_total_relation_size(c.oid)) into bytes
      from public.objects_of('site_' || p_transfer.site_id, 'pg_class') o join pg_class c on c.oid = o.id
     where c.relkind in ('r', 'p');
    if bytes > p_bytes_max then
      raise sqlstate 'TS451' using message = 'the site is too large', detail = bytes::text;
    end if;
  end if;
  if p_transfer.target_id is not null then
    update public.sites s set is_active = false, suspended_by = 'service' where s.id = p_transfer.target_id;
  end if;
  insert into public.transfers select p_transfer.* returning * into p_transfer;
  return p_transfer;
end $$;
