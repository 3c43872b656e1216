-- Removes the password, the keys and the second factors of an account, and ends its sign-ins, before
-- somebody else replaces an e-mail address that the person has proved. Nobody has proved the new address,
-- and whoever reads mail there can take over the account, so nobody may go on using it elsewhere until then.
-- The providers of the organization that manages the account stay: their sign-ins count there only. Does
-- nothing if the address stays the same or was not proved. S7. Called by src/identity/users and
-- public.change_scim_account.
create or replace function public.drop_proven(p_user_id bigint, p_email text) returns void
language plpgsql as $$
begin
  update public.users u
     set password_hash = null, password_is_own = false, factors_are_own = false, generation = u.generation + 1
   where u.id = p_user_id and u.email_verified_at is not null and lower(u.email) <> lower(p_email);
  if found then
    perform public.drop_foreign_factors(p_user_id);
  end if;
end $$;
