-- Links a person's social account to the account of the caller, at the caller's request. The result:
--   linked     the social account can sign in to the account; it may have been linked before
--   taken      it is linked to the account of somebody else
--   unproven   somebody else may have made the caller's account, or knows its password
--   forbidden  the account is a superuser's
-- Queues the notice p_notice to the owner, unless the social account was linked before. Refuses (TS403) a
-- sign-in that counts in one organization only. Raises the errors of public.use_social_app. Called by
-- src/identity/login.
create or replace function public.link_own_social_account(
  p_identity public.social_identity, p_caller public.caller, p_notice uuid
) returns text
language plpgsql as $$
declare
  site constant bigint := public.use_social_app(p_identity.host, p_identity.slug, p_identity.social_app_id);
  account public.users;
begin
  perform public.require_platform_sign_in(p_caller);
  select u.* into account from public.users u where u.id = p_caller.id for no key update;
  if account.is_superuser then
    return 'forbidden';
  elsif not public.may_add_factor(account) then
    return 'unproven';
  end if;
  insert into public.social_accounts (site_id, social_app_id, issuer, subject, user_id, is_own)
  values (site, p_identity.social_app_id, p_identity.issuer, p_identity.subject, account.id, true)
  on conflict on constraint social_accounts_identity_key do nothing;
  if found then
    insert into public.account_emails (id, kind, recipient, user_id)
    values (p_notice, 'provider-linked', account.email, account.id);
    return 'linked';
  end if;
  update public.social_accounts a set is_own = true
   where a.site_id = site and a.social_app_id = p_identity.social_app_id and a.issuer = p_identity.issuer
     and a.subject = p_identity.subject and a.user_id = account.id;
  return case when found then 'linked' else 'taken' end;
end $$;
