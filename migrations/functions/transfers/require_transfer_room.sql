-- Checks that another transfer of an organization may begin, and locks the organization, so that no
-- concurrent one is missed. p_site_id: the site that it reads; null for an import. p_open_max: how many
-- transfers of an organization may run at a time. p_bytes_max: how many bytes the tables of the site may
-- have.
--
-- Refuses: TS432 the site is deleted, with `deleted` as the detail; TS450 too many transfers are running;
-- TS451 the tables have more bytes, with their number as the detail. Called by public.begin_transfer, and by
-- src/operation/transfers before it creates a site.
create or replace function public.require_transfer_room(
  p_organization_id bigint, p_site_id bigint, p_open_max integer, p_bytes_max bigint
) returns void
language plpgsql as $$
declare
  bytes bigint;
begin
  perform from public.organizations o where o.id = p_organization_id for no key update;
  if (select count(*) from public.transfers t
       where t.organization_id = p_organization_id and t.state in ('uploading', 'running')) >= p_open_max then
    raise sqlstate 'TS450' using message = 'too many transfers go on';
  end if;
  if exists (select from public.sites s where s.id = p_site_id and s.deletes_at is not null) then
    raise sqlstate 'TS432' using message = 'the site is deleted', detail = 'deleted';
  end if;
  select coalesce(sum(pg_total_relation_size(c.oid)), 0) + public.shared_bytes(p_site_id) into bytes
    from public.objects_of('site_' || p_site_id, 'pg_class') o join pg_class c on c.oid = o.id
   where c.relkind in ('r', 'p');
  if bytes > p_bytes_max then
    raise sqlstate 'TS451' using message = 'the site is too large', detail = bytes::text;
  end if;
end $$;
