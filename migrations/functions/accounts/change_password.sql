-- Changes the password of an account after its present password was checked: p_present is the hash of that
-- password. Returns the account; null if the password has changed since the check. It does not change whether
-- the password counts as the person's own, because a person who knows a password that others have set can
-- change it too. S7. p_notice: the id of the e-mail that informs the owner. Called by src/identity/accounts.
create or replace function public.change_password(
  p_user_id bigint, p_present text, p_password_hash text, p_notice uuid
) returns public.users
language plpgsql as $$
declare
  account public.users;
begin
  select u.* into account from public.users u where u.id = p_user_id for no key update;
  if account.password_hash is distinct from p_present then
    return null;
  end if;
  return public.replace_password(p_user_id, p_password_hash, account.password_is_own, p_notice);
end $$;
