-- Sets a new password for an account, which ends its sign-ins, its API keys and its other links, and queues
-- the e-mail p_notice to its owner. p_is_own: the person has proved that the account is theirs. Returns the
-- account. Called by the functions of this folder.
create or replace function public.replace_password(
  p_user_id bigint, p_password_hash text, p_is_own boolean, p_notice uuid
) returns public.users
language plpgsql as $$
declare
  account public.users;
begin
  update public.users u
     set password_hash = p_password_hash, password_is_own = p_is_own,
         email_verified_at = case when p_is_own then coalesce(u.email_verified_at, now())
                                  else u.email_verified_at end,
         generation = u.generation + 1
   where u.id = p_user_id
  returning u.* into account;
  delete from public.account_emails e where e.user_id = p_user_id and e.token_hash is not null;
  insert into public.account_emails (id, kind, recipient, user_id)
  values (p_notice, 'password-changed', account.email, p_user_id);
  return account;
end $$;
