-- Returns the transfer p_id to a caller who may see it: the account that began it, if it holds `admin_site`
-- in its site; owners and admins of its organization; superusers. Refuses: TS401 the caller may not sign in;
-- TS404 there is no such transfer, it has expired, or the caller may not see it; TS434 the site or its
-- organization requires a second factor, and the caller's account has none. Called by src/transfers.
create or replace function public.enter_transfer(p_caller public.caller, p_id uuid) returns public.transfers
language plpgsql as $$
declare
  superuser constant boolean := (public.find_caller(p_caller)).is_superuser;
  transfer public.transfers;
begin
  select t.* into transfer from public.transfers t where t.id = p_id;
  if transfer.id is null
     or transfer.expires_at < now() and transfer.state not in ('uploading', 'running')
     or p_caller.organization_id <> transfer.organization_id
     or not superuser
    and not exists (
          select from public.memberships m
           where m.organization_id = transfer.organization_id and m.user_id = p_caller.id
             and m.role in ('owner', 'admin'))
    and not (transfer.created_by is not distinct from p_caller.id and exists (
          select from public.site_permissions p
           where p.site_id = transfer.site_id and p.user_id = p_caller.id
             and 'admin_site' = any (p.permissions))) then
    raise sqlstate 'TS404' using message = 'no such transfer';
  end if;
  perform public.require_factor_in(transfer.organization_id, transfer.site_id, p_caller.id);
  return transfer;
end $$;
