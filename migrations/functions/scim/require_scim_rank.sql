-- Refuses (TS443) a change of accounts by the directory of an organization if one of them ranks above the
-- maker of the key there (public.outranks). A key whose maker is no manager any more changes members only.
-- T10. Called by public.scim_account, public.join_scim_group and public.leave_scim_group.
create or replace function public.require_scim_rank(p_request public.scim_request, p_user_ids bigint[])
returns void
language plpgsql as $$
begin
  if exists (select from unnest(p_user_ids) i (id)
              where public.outranks(i.id, p_request.creator_id, p_request.organization_id)) then
    raise sqlstate 'TS443' using message = 'the account ranks above the maker of the key';
  end if;
end $$;
