-- Returns the transfer p_id to a caller who may see it: the account that began it, if it holds `admin_site`
-- in its site; owners and admins of its organization; superusers. Refuses: TS401 the caller may not sign in;
-- TS404 there is no such transfer, it has expired, or the caller may not see it; TS434 the site or its
-- organization requires a second factor, and the caller's account has none. Called by
-- src/operation/transfers.
create or replace function public.enter_transfer(p_caller public.caller, p_id uuid) returns public.transfers
language plpgsql as $$
declare
  superuser constant boolean := (public.find_caller(p_caller)).is_superuser;
  transfer public.transfers;
begin
  select t.* into transfer from public.transfers t
    left join public.memberships m on m.organization_id = t.organization_id and m.user_id = p_caller.id
    left join public.site_permissions p
      on p.site_id = t.site_id and p.user_id = p_caller.id and t.created_by = p_caller.id
   where t.id = p_id and (t.expires_at >= now() or t.state in ('uploading', 'running'))
     and 'admin_site' = any (public.held_permissions(
           p_caller.organization_id, t.organization_id, superuser, m.role, p.permissions));
  if not found then
    raise sqlstate 'TS404' using message = 'no such transfer';
  end if;
  perform public.require_factor_in(transfer.organization_id, transfer.site_id, p_caller.id);
  return transfer;
end $$;
