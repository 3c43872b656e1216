-- Confirms an e-mail address by the token of a mailed link: the one that an account has (public.verify_email)
-- or the new one that its owner asked for (public.change_email). Returns the account; null if the link is not
-- valid. Raises the errors of public.change_email. Called by src/identity/accounts.
create or replace function public.confirm_email(p_token_hash text, p_caller public.caller, p_notice uuid)
returns public.users
language plpgsql as $$
begin
  if exists (select from public.account_emails e
              where e.token_hash = p_token_hash and e.kind = 'change-email' and e.expires_at > now()) then
    return public.change_email(p_token_hash, p_caller, p_notice);
  end if;
  return public.verify_email(p_token_hash);
end $$;
