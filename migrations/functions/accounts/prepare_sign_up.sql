-- Prepares the e-mail of a sign-up, as public.prepare_account_email does. An address that has an account gets
-- an e-mail that says so, of the kind 'sign-up-known', without a link to sign up. A sign-up with a passkey
-- gets an e-mail of the kind 'sign-up-passkey'. Returns no row if the address may not sign up (the response
-- to the request does not tell), or if the address got an e-mail of this kind within the last minute, or more
-- e-mails than public.admit_letter admits. Links to one address do not replace each other: each belongs to
-- the password or passkey that was sent with it. Called by public.prepare_account_email.
create or replace function public.prepare_sign_up(p_email public.account_emails, p_token_hash text)
returns table (kind text, recipient text, username text, site text)
language plpgsql as $$
declare
  at_site public.sites;
begin
  select s.* into at_site from public.sites s where s.id = p_email.site_id;
  if at_site.id is null or public.was_sent_just_now(p_email)
     or p_email.user_id is null and not public.takes_sign_up(at_site, p_email.recipient)
     or public.admit_account_email(p_email, null) <> 'admitted' then
    delete from public.account_emails e where e.id = p_email.id;
  elsif p_email.user_id is null and public.is_address_taken(p_email.recipient, 0, true) then
    return query select 'sign-up-known', p_email.recipient, null::text, at_site.slug;
  else
    update public.account_emails e set token_hash = p_token_hash, expires_at = now() + interval '30 minutes'
     where e.id = p_email.id;
    return query
      select case when exists (select from public.sign_ups w
                                where w.id = p_email.id and w.passkey is not null)
             then 'sign-up-passkey' else p_email.kind end, p_email.recipient, null::text, at_site.slug;
  end if;
end $$;
