-- Finishes a sign-up by the link that was mailed to its address, for a person who also knows the password
-- that was chosen (it was checked before). So nobody can sign up with somebody else's address and get an
-- account when that person clicks on the link. Makes the account with the name p_username, or proves the one
-- that public.begin_sign_up has made. Then gives it the groups of its domain. p_has_passkey: the person signs
-- up with a passkey, which was checked before, and the account has no password. Returns the account; null if
-- the link is not valid, if it was requested at another site, or if the address may no longer sign up. Called
-- by public.finish_passkey_sign_up and src/identity/accounts.
create or replace function public.finish_sign_up(
  p_host text, p_slug text, p_token_hash text, p_username text,
  p_has_passkey boolean default false
) returns public.users
language plpgsql as $$
declare
  site public.sites;
  link public.account_emails;
  wanted public.sign_ups;
  account public.users;
begin
  select s.* into site from public.sites s where s.slug = public.site_at(p_host, p_slug);
  select e.* into link from public.account_emails e
   where e.token_hash = p_token_hash and e.kind = 'sign-up' and e.expires_at > now() and e.site_id = site.id;
  perform public.take_address(link.recipient);
  select w.* into wanted from public.sign_ups w where w.id = link.id;
  -- Of several concurrent uses of a link, only one succeeds.
  delete from public.account_emails e
   where e.id = link.id and (wanted.passkey is not null) = p_has_passkey;
  if not found then
    return null;
  elsif link.user_id is not null then
    update public.users u set email_verified_at = now(), password_is_own = true
     where u.id = link.user_id and u.is_active and u.email_verified_at is null
       and lower(u.email) = lower(link.recipient) and u.password_hash = wanted.password_hash
    returning u.* into account;
  elsif public.takes_sign_up(site, link.recipient)
    and not public.is_address_taken(link.recipient, 0, true) then
    perform public.release_address(link.recipient, true);
    insert into public.users
      (uuid, username, email, email_verified_at, password_hash, password_is_own, first_name, last_name)
    values (coalesce(wanted.handle, gen_random_uuid()), p_username, link.recipient, now(),
            wanted.password_hash, wanted.password_hash is not null, wanted.first_name, wanted.last_name)
    returning * into account;
  end if;
  if account.id is not null then
    perform public.note_joined(site.id, account.id, null);
    perform public.join_domain_groups(site, account);
  end if;
  return account;
end $$;
