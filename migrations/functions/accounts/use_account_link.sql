-- Uses the link of an e-mail about an account: deletes its row and returns it. Of several concurrent uses,
-- only one succeeds. Returns null if the link does not exist, was used, has expired or is of another kind, or
-- if its account cannot sign in or has changed its address. Called by the functions of this folder.
create or replace function public.use_account_link(p_token_hash text, p_kind text)
returns public.account_emails
language plpgsql as $$
declare
  link public.account_emails;
begin
  -- Locks the account first, as a change of its e-mail does.
  perform from public.account_emails e join public.users u on u.id = e.user_id
    where e.token_hash = p_token_hash for no key update of u;
  delete from public.account_emails e using public.users u
   where e.token_hash = p_token_hash and e.kind = p_kind and e.expires_at > now()
     and u.id = e.user_id and u.is_active
     and (e.kind = 'change-email' or lower(u.email) = lower(e.recipient))
  returning e.* into link;
  return link;
end $$;
