-- Proves an account's e-mail address by the link that was mailed to it, and returns the account; null if the
-- link is not valid (public.use_account_link). Everything that somebody else may have made is removed
-- (public.drop_unproven). S7. Called by public.confirm_email.
create or replace function public.verify_email(p_token_hash text) returns public.users
language plpgsql as $$
declare
  link constant public.account_emails := public.use_account_link(p_token_hash, 'verify-email');
  account public.users;
begin
  if link.id is null then
    return null;
  end if;
  perform public.drop_unproven(link.user_id);
  update public.users u set email_verified_at = now() where u.id = link.user_id returning u.* into account;
  return account;
end $$;
