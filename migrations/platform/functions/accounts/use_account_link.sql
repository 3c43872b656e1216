-- Uses the link of an e-mail about an account: deletes its row and returns it. Of several uses at the same
-- time one gets it. Returns null for a link that does not exist, was used, has expired or is of another kind,
-- and for one of an account that cannot sign in or has another address since. Called by the functions of this
-- folder.
create or replace function public.use_account_link(p_token_hash text, p_kind text)
returns public.account_emails
language plpgsql as $$
declare
  link public.account_emails;
begin
  -- The account is locked first, as by a change of its e-mail.
  perform from public.account_emails e join public.users u on u.id = e.user_id
    where e.token_hash = p_token_hash for no key update of u;
  delete from public.account_emails e using public.users u
   where e.token_hash = p_token_hash and e.kind = p_kind and e.expires_at > now()
     and u.id = e.user_id and u.is_active
     and (e.kind = 'change-email' or lower(u.email) = lower(e.recipient))
  returning e.* into link;
  return link;
end $$;
