-- Signs in the person whom a provider has named. p_trusted: the provider says that the e-mail is verified.
-- p_confirmation: the id of the confirmation, if one is made. organization_id: the organization of the
-- provider. The result is in outcome:
--   signed in  the social account was attached to the account before, or is now
--   unknown    there is no account, and one may be created
--   closed     there is no account, and the site does not create accounts by a provider, or not for this
--              address
--   inactive   the account may not sign in
--   untrusted  an account has the e-mail, and the provider does not say that the e-mail is verified
--   confirm    an account has the e-mail and is tied to another organization: the confirmation was made, and
--              waits for the code that is mailed to the account's address
--   forbidden  the account is a superuser's
-- ended: what the first attachment has ended (public.attach_social_account).
-- Raises the errors of public.use_social_app. Called by src/identity/login.
create or replace function public.sign_in_socially(
  p_identity public.social_identity, p_email text, p_trusted boolean, p_confirmation uuid,
  out outcome text, out account public.users, out organization_id bigint, out ended text[]
) language plpgsql as $$
declare
  site constant bigint := public.use_social_app(p_identity.host, p_identity.slug, p_identity.social_app_id);
  known record;
  candidate public.users;
  attached record;
  makes_accounts constant boolean := (
    select s.sign_up_by_provider and public.takes_address(s, p_email) from public.sites s where s.id = site);
begin
  organization_id := (select s.organization_id from public.sites s where s.id = site);
  select k.* into known from public.sign_in_known(site, p_identity) k;
  if known.outcome is not null then
    outcome := known.outcome;
    account := known.account;
    return;
  end if;

  -- An account that was only made for an invitation to the address belongs to nobody yet.
  if p_trusted and makes_accounts then
    perform public.release_address(p_email);
  end if;
  select u.* into candidate from public.users u where lower(u.email) = lower(p_email) for no key update;
  if not found then
    outcome := case when makes_accounts then 'unknown' else 'closed' end;
    return;
  end if;
  -- Before the account was locked, the same person may have signed in for the first time in another
  -- transaction.
  select k.* into known from public.sign_in_known(site, p_identity) k;
  if known.outcome is not null then
    outcome := known.outcome;
    account := known.account;
    return;
  end if;
  outcome := case
    when not p_trusted then 'untrusted'
    when candidate.is_superuser then 'forbidden'
    when not candidate.is_active then 'inactive'
    when public.is_tied_elsewhere(candidate.id, organization_id, '{member,permission,link,guest}')
      then 'confirm'
    else 'signed in' end;
  if outcome = 'confirm' then
    insert into public.confirmations (id, user_id, site_id, social_app_id, issuer, subject, host, expires_at)
    values (p_confirmation, candidate.id, site, p_identity.social_app_id, p_identity.issuer,
            p_identity.subject, p_identity.domain, now() + interval '10 minutes');
  elsif outcome = 'signed in' then
    select a.* into attached from public.attach_social_account(candidate.id, site, p_identity) a;
    account := attached.account;
    ended := attached.ended;
  end if;
end $$;
