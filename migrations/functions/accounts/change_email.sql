-- Changes the e-mail address of an account to the one that its owner asked for, by the link that was mailed
-- there. Returns the account; null if the link is not valid (public.use_account_link) or another account has
-- the address. The caller has to be signed in to the account: a stranger who reads the e-mail must not be
-- able to give somebody else's account this address by opening the link. The password, the second factors and
-- the API keys still count as the person's own if they did before, because the same person has both
-- addresses. S7. A user name that is an e-mail address changes, too. p_notice: the id of the notice to the
-- former address.
--
-- Refuses: TS401 the caller may not sign in; TS403 the caller is somebody else, or was signed in by a
-- provider that may not change the account (public.require_own_sign_in). Called by public.confirm_email.
create or replace function public.change_email(
  p_token_hash text, p_caller public.caller, p_notice uuid
) returns public.users
language plpgsql as $$
declare
  link public.account_emails;
  former public.users;
  account public.users;
  own_keys bigint[];
begin
  select e.* into link from public.account_emails e where e.token_hash = p_token_hash;
  if link.id is null then
    return null;
  elsif p_caller.id is distinct from link.user_id then
    raise sqlstate 'TS403' using message = 'the caller is not signed in to the account';
  end if;
  perform public.find_caller(p_caller);
  perform public.require_own_sign_in(p_caller);
  link := public.use_account_link(p_token_hash, 'change-email');
  if link.id is null or public.is_address_taken(link.recipient, link.user_id) then
    return null;
  end if;
  perform public.release_address(link.recipient);
  select u.* into former from public.users u where u.id = link.user_id;
  own_keys := array(select k.id from public.api_keys k where k.user_id = former.id and k.is_own);
  update public.users u
     set email = link.recipient,
         username = case when strpos(u.username, '@') > 0 then link.recipient else u.username end
   where u.id = former.id;
  -- A trigger has reset what was proved for the former address (public.forget_proofs).
  update public.users u
     set email_verified_at = now(), password_is_own = former.password_is_own,
         factors_are_own = former.factors_are_own
   where u.id = former.id
  returning u.* into account;
  update public.api_keys k set is_own = true where k.id = any (own_keys);
  delete from public.account_emails e where e.user_id = former.id and e.token_hash is not null;
  insert into public.account_emails (id, kind, recipient, user_id)
  values (p_notice, 'email-changed', former.email, former.id);
  return account;
end $$;
