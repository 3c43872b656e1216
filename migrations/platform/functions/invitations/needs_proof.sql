-- Whether an account is changed by an invitation only for whoever shows that it is theirs (see accept_invitation). One that
-- nobody has used yet may hold permissions in another organization's site, too.
create or replace function public.needs_proof(p_account public.users, p_organization bigint, p_mode text) returns boolean stable
language sql as $$
  select case p_mode
    when 'specification' then false
    else p_mode = 'verify' and public.is_used(p_account)
      or p_account.email_verified_at is not null
      or public.is_tied_elsewhere(p_account.id, p_organization, '{member,permission}')
      or exists (select from public.social_accounts a where a.user_id = p_account.id)
  end
$$;
