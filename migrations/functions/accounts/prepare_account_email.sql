-- Prepares an e-mail about an account: returns its kind, its recipient, and what its text names.
-- p_token_hash: the hash of the token in the link. The link works for 30 minutes, and for 7 days in the
-- e-mail about a new account. An e-mail without a link ignores it. Returns no row, and deletes the row of the
-- e-mail, if nothing is to be sent: for an address without an account, an account that cannot sign in, an
-- address that is already verified, and if the recipient got a link within the last minute, or more e-mails
-- than public.admit_letter admits. Also returns no row for a new address that another account has, but keeps
-- the row of the e-mail. The response to the request for a link is the same in all cases. A sign-up
-- (public.prepare_sign_up) has its own kind of e-mail for an address that has an account.
-- A notice is never dropped. If the recipient got many, the next one of its kind waits, and is sent for all
-- that wait with it. An e-mail about a new account waits while its organization has no budget. p_budget: how
-- many e-mails an organization may cause in a day. Called by src/identity/accounts.
create or replace function public.prepare_account_email(p_id uuid, p_token_hash text, p_budget integer)
returns table (kind text, recipient text, username text, site text)
language plpgsql as $$
declare
  email public.account_emails;
  account public.users;
  outcome text := 'none';
begin
  select e.* into email from public.account_emails e
   where e.id = p_id and e.sent_at is null and e.expires_at > now() for update;
  if not found then
    return;
  end if;
  if email.kind = 'sign-up' then
    return query select * from public.prepare_sign_up(email, p_token_hash);
    return;
  end if;
  if email.kind in ('reset-password', 'verify-email', 'change-email', 'account-created') then
    select u.* into account from public.users u
     where u.is_active
       and case email.kind
           when 'reset-password' then lower(u.email) = lower(email.recipient)
           when 'verify-email' then lower(u.email) = lower(email.recipient) and u.email_verified_at is null
           else u.id = email.user_id end;
    if email.kind = 'change-email' and public.is_address_taken(email.recipient, account.id) then
      -- The owner of the account must not see whether another account has the address.
      update public.account_emails e set sent_at = now() where e.id = p_id;
      return;
    end if;
    if account.id is not null and not public.was_sent_just_now(email) then
      outcome := public.admit_account_email(email, p_budget);
    end if;
    if outcome = 'spent' then
      perform public.postpone_account_email(p_id);
      return;
    elsif outcome <> 'admitted' then
      delete from public.account_emails e where e.id = p_id;
      return;
    end if;
    -- Only the newest link of a kind works.
    delete from public.account_emails e
     where e.user_id = account.id and e.kind = email.kind and e.id <> p_id;
    update public.account_emails e
       set user_id = account.id, token_hash = p_token_hash,
           expires_at = now() + case e.kind when 'account-created' then interval '7 days'
                                            else interval '30 minutes' end
     where e.id = p_id;
  else
    select u.* into account from public.users u where u.id = email.user_id;
    if public.admit_account_email(email, p_budget) <> 'admitted' then
      perform public.postpone_account_email(p_id);
      return;
    end if;
    delete from public.account_emails e
     where e.id in (select w.id from public.account_emails w
                     where w.user_id = email.user_id and w.kind = email.kind and w.id <> p_id
                       and lower(w.recipient) = lower(email.recipient) and w.sent_at is null
                     for update skip locked);
  end if;
  return query select email.kind, email.recipient, account.username,
                      (select s.slug from public.sites s where s.id = email.site_id);
end $$;
