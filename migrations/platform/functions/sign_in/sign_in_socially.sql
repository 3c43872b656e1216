-- As before (0015), but for accounts that several organizations' providers open: each of these opens it as long as the
-- account has nothing to do with any other organization. So no provider that somebody has attached to an account, or that
-- has made the account in somebody's name, opens what others have given it. What an unverified account loses to whoever
-- proves its e-mail is, of social accounts, those of the same organization.
create or replace function public.sign_in_socially(
  p_host text, p_slug text, p_app bigint, p_issuer text, p_subject text, p_email text, p_trusted boolean, p_at timestamptz,
  out outcome text
) language plpgsql as $$
declare
  site bigint := public.use_social_app(p_host, p_slug, p_app);
  organization bigint := (select s.organization_id from public.sites s where s.id = site);
  account public.users;
begin
  select u.* into account from public.social_accounts a join public.users u on u.id = a.user_id
   where a.site_id = site and a.social_app_id = p_app and a.issuer = p_issuer and a.subject = p_subject;
  if found then
    outcome := case
      when account.is_superuser then 'forbidden'
      when exists (select from public.social_accounts a join public.sites s on s.id = a.site_id
                    where a.user_id = account.id and s.organization_id <> organization)
       and public.has_ties_elsewhere(account.id, organization) then 'forbidden'
      when not account.is_active then 'inactive'
      else 'signed in' end;
    if outcome = 'signed in' then
      update public.users u set last_login = now() where u.id = account.id;
      update public.social_accounts a set last_login = now()
       where a.site_id = site and a.social_app_id = p_app and a.issuer = p_issuer and a.subject = p_subject;
      perform set_config('tessera.signed_in', account.id::text, true);
    end if;
    return;
  end if;

  -- Of an address that is only invited nobody has an account yet.
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
    outcome := public.sign_in_socially(p_host, p_slug, p_app, p_issuer, p_subject, p_email, p_trusted, p_at);
    return;
  end if;
  outcome := case
    when not p_trusted then 'untrusted'
    when account.is_superuser or public.has_ties_elsewhere(account.id, organization) then 'forbidden'
    when not account.is_active then 'inactive'
    else 'signed in' end;
  if outcome <> 'signed in' then
    return;
  end if;
  if account.email_verified_at is null then
    delete from public.api_keys k where k.user_id = account.id;
    delete from public.social_accounts a using public.sites s
     where a.user_id = account.id and s.id = a.site_id and s.organization_id = organization;
    update public.users u set password_hash = null, tokens_valid_after = greatest(u.tokens_valid_after, p_at), email_verified_at = now()
     where u.id = account.id;
  end if;
  insert into public.social_accounts (site_id, social_app_id, issuer, subject, user_id) values (site, p_app, p_issuer, p_subject, account.id);
  update public.users u set last_login = now() where u.id = account.id;
  perform set_config('tessera.signed_in', account.id::text, true);
end $$;
