-- Changes the password of an account whose present one was checked: p_present is its hash. Returns the
-- account; null if the password is another one by now. Whether the password counts as the person's own stays
-- as it was: whoever knows one that others have set can change it, too. S7. p_notice: the id of the notice to
-- the owner. Called by src/accounts.
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
