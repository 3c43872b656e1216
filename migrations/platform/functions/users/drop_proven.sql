-- Removes every credential of an account, and ends its sign-ins, before somebody else replaces an e-mail
-- address that the person has proved. Nobody has proved the new address, and whoever reads mail there can
-- take over the account, so nobody may go on using it until then. Does nothing if the address stays the same
-- or was not proved. S7. Called by src/users and public.change_scim_account.
create or replace function public.drop_proven(p_user_id bigint, p_email text) returns void
language plpgsql as $$
begin
  update public.users u set password_is_own = false, factors_are_own = false
   where u.id = p_user_id and u.email_verified_at is not null and lower(u.email) <> lower(p_email);
  if not found then
    return;
  end if;
  update public.api_keys k set is_own = false where k.user_id = p_user_id and k.is_own;
  update public.social_accounts a set is_own = false where a.user_id = p_user_id and a.is_own;
  perform public.drop_unproven(p_user_id);
end $$;
