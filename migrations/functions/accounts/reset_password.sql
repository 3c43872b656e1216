-- Gives an account a password by the link that was mailed to its address, and returns the account; null if
-- the link is not valid (public.use_account_link). The link proves who the person is, so everything that
-- somebody else may have made is removed (public.drop_unproven). S7. An account without a password gets its
-- first one. p_notice: the id of the notice to the owner. Called by src/identity/accounts.
create or replace function public.reset_password(p_token_hash text, p_password_hash text, p_notice uuid)
returns public.users
language plpgsql as $$
declare
  link public.account_emails := public.use_account_link(p_token_hash, 'reset-password');
begin
  if link.id is null then
    link := public.use_account_link(p_token_hash, 'account-created');
  end if;
  if link.id is null then
    return null;
  end if;
  perform public.drop_unproven(link.user_id);
  return public.replace_password(link.user_id, p_password_hash, true, p_notice);
end $$;
