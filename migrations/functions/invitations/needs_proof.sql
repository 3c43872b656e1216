-- Returns whether an invitation of the organization may change an account only after the person who accepts
-- has proved that it is theirs: in every mode, if the account is a member already (I8), or ranks above
-- somebody who can read the token of the invitation (T10). Otherwise p_mode decides: 'specification' never;
-- 'guarded' if the account is tied to another organization, a provider opens it, or its e-mail was verified;
-- 'verify' also if somebody has used it. An account that nobody has used may still hold permissions in a site
-- of another organization. Called by public.prove_account.
create or replace function public.needs_proof(p_account public.users, p_organization_id bigint, p_mode text)
returns boolean stable
language sql as $$
  select exists (
    select from public.memberships m
     where m.organization_id = p_organization_id
       and (m.user_id = p_account.id
            or m.role in ('owner', 'admin') and public.outranks(p_account.id, m.user_id)))
  or case p_mode
    when 'specification' then false
    else p_mode = 'verify' and public.is_used(p_account)
      or p_account.email_verified_at is not null
      or public.is_tied_elsewhere(p_account.id, p_organization_id, '{member,permission,guest}')
      or exists (select from public.social_accounts a where a.user_id = p_account.id)
  end
$$;
