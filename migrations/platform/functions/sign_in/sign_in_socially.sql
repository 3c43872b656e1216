-- The account of a person whom a provider has named. p_trusted: the provider says that the e-mail is verified. Outcomes:
--   signed in  p_account is known, or attached from now on
--   unknown    there is no account, and one may be made
--   inactive   the account may not sign in
--   untrusted  an account has this e-mail, and the provider does not say that the e-mail is verified
--   confirm    an account has this e-mail and is tied to another organization: p_confirmation waits for the code that is
--              mailed to its address
--   forbidden  the account is a superuser's
-- What the provider opens counts in its own organization alone, so that a known account is opened whatever its other ties.
create or replace function public.sign_in_socially(
  p_host text, p_slug text, p_app bigint, p_issuer text, p_subject text, p_email text, p_trusted boolean, p_confirmation uuid,
  out outcome text, out p_account public.users, out p_organization bigint
) language plpgsql as $$
declare
  site bigint := public.use_social_app(p_host, p_slug, p_app);
  account public.users;
begin
  p_organization := (select s.organization_id from public.sites s where s.id = site);
  select u.* into account from public.social_accounts a join public.users u on u.id = a.user_id
   where a.site_id = site and a.social_app_id = p_app and a.issuer = p_issuer and a.subject = p_subject;
  if found then
    outcome := case when account.is_superuser then 'forbidden' when not account.is_active then 'inactive' else 'signed in' end;
    if outcome = 'signed in' then
      update public.users u set last_login = now() where u.id = account.id;
      update public.social_accounts a set last_login = now()
       where a.site_id = site and a.social_app_id = p_app and a.issuer = p_issuer and a.subject = p_subject;
      select u.* into p_account from public.users u where u.id = account.id;
    end if;
    return;
  end if;

  -- Nobody has an account at an address that is only invited.
  if p_trusted then
    perform public.release_address(p_email);
  end if;
  select u.* into account from public.users u where lower(u.email) = lower(p_email) for no key update;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  -- Between the two looks the same person may have signed in for the first time, elsewhere.
  if exists (select from public.social_accounts a
              where a.site_id = site and a.social_app_id = p_app and a.issuer = p_issuer and a.subject = p_subject) then
    select s.outcome into sign_in_socially.outcome
      from public.sign_in_socially(p_host, p_slug, p_app, p_issuer, p_subject, p_email, p_trusted, p_confirmation) s;
    if outcome = 'signed in' then
      select u.* into p_account from public.social_accounts a join public.users u on u.id = a.user_id
       where a.site_id = site and a.social_app_id = p_app and a.issuer = p_issuer and a.subject = p_subject;
    end if;
    return;
  end if;
  outcome := case
    when not p_trusted then 'untrusted'
    when account.is_superuser then 'forbidden'
    when not account.is_active then 'inactive'
    when public.is_tied_elsewhere(account.id, p_organization, '{member,permission,link}') then 'confirm'
    else 'signed in' end;
  if outcome = 'confirm' then
    insert into public.confirmations (id, user_id, site_id, social_app_id, issuer, subject, expires_at)
    values (p_confirmation, account.id, site, p_app, p_issuer, p_subject, now() + interval '10 minutes');
  elsif outcome = 'signed in' then
    -- It is the organization's first word that the e-mail is the person's: what was there before may be somebody else's.
    if not exists (select from public.social_accounts a join public.sites s on s.id = a.site_id
                    where a.user_id = account.id and s.organization_id = p_organization and (a.is_vouched or a.is_own)) then
      perform public.drop_unproven(account.id);
    end if;
    insert into public.social_accounts (site_id, social_app_id, issuer, subject, user_id, is_vouched)
    values (site, p_app, p_issuer, p_subject, account.id, true);
    update public.users u set last_login = now() where u.id = account.id returning u.* into p_account;
  end if;
end $$;
