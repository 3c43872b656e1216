-- What social login needs of the platform. All but enter_as_owner are called before a tenant is entered, in the same
-- transaction: they run as the service, to which the tables of every tenant belong.

-- As `enter`, for owners of the site's organization, and for superusers. Of no site, and of somebody who may not sign
-- in, `enter` itself says so.
create function public.enter_as_owner(
  p_host text, p_slug text, p_caller bigint, p_issued_at timestamptz,
  p_schema_version integer, p_site bigint, p_catalog bigint, p_mode text, p_timeout_ms integer,
  out site_id bigint, out catalog_version bigint
) language plpgsql as $$
begin
  perform from public.users u
     join public.sites s on s.slug = public.site_at(p_host, p_slug)
    where u.id = p_caller and u.is_active and u.tokens_valid_after <= p_issued_at and not u.is_superuser
      and not exists (select from public.memberships m where m.organization_id = s.organization_id and m.user_id = u.id and m.role = 'owner');
  if found then
    raise sqlstate 'TS403' using message = 'the caller owns no organization with this site';
  end if;
  select e.site_id, e.catalog_version into enter_as_owner.site_id, enter_as_owner.catalog_version
    from public.enter(p_host, p_slug, p_caller, p_issued_at, null, p_schema_version, p_site, p_catalog, p_mode, p_timeout_ms) e;
end $$;
--> statement-breakpoint

-- Takes the row of a social app until the end of the transaction, so that nobody begins to use it; answers how many users
-- sign in with it, and says so to the statements that follow.
create function public.hold_social_app(p_host text, p_slug text, p_app bigint) returns integer
language plpgsql as $$
declare
  site bigint := coalesce((select s.id from public.sites s where s.slug = public.site_at(p_host, p_slug)), 0);
  users integer := 0;
begin
  if to_regclass(format('%I._social_apps', 'site_' || site)) is not null then
    execute format('select from %I._social_apps a where a.id = $1 for update', 'site_' || site) using p_app;
    select count(distinct a.user_id) into users from public.social_accounts a where a.site_id = site and a.social_app_id = p_app;
  end if;
  perform set_config('tessera.social_users', users::text, true);
  return users;
end $$;
--> statement-breakpoint

-- The site of a request, and of it the row of a social app that must not go before the transaction ends. TS404 without.
create function public.use_social_app(p_host text, p_slug text, p_app bigint) returns bigint
language plpgsql as $$
declare
  site bigint := coalesce((select s.id from public.sites s where s.slug = public.site_at(p_host, p_slug)), 0);
  present boolean;
begin
  if to_regclass(format('%I._social_apps', 'site_' || site)) is not null then
    execute format('select true from %I._social_apps a where a.id = $1 for key share', 'site_' || site) into present using p_app;
  end if;
  if present is null then
    raise sqlstate 'TS404' using message = 'no such social app';
  end if;
  return site;
end $$;
--> statement-breakpoint

-- Who somebody is whom a provider has named. p_trusted: whoever has the e-mail is who signs in. Outcomes:
-- 'signed in'  the account is known, or is attached from now on;
-- 'unknown'    there is no account, and one may be made;
-- 'inactive'   the account may not sign in;
-- 'untrusted'  an account has this e-mail, and whether it is the same person's, the provider does not say;
-- 'forbidden'  the account is out of this provider's reach: a superuser's, or one that has to do with other organizations.
-- An account whose e-mail was never verified may have been made by somebody else in the e-mail's name: what opened it
-- until now opens it no more. p_at is the moment from which on the new tokens are issued. Who is signed in, the
-- statements that follow are told.
create function public.sign_in_socially(
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
    outcome := case when account.is_superuser then 'forbidden' when not account.is_active then 'inactive' else 'signed in' end;
    if outcome = 'signed in' then
      update public.users u set last_login = now() where u.id = account.id;
      update public.social_accounts a set last_login = now()
       where a.site_id = site and a.social_app_id = p_app and a.issuer = p_issuer and a.subject = p_subject;
      perform set_config('tessera.signed_in', account.id::text, true);
    end if;
    return;
  end if;

  select u.* into account from public.users u where lower(u.email) = lower(p_email) for no key update;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  outcome := case
    when not p_trusted then 'untrusted'
    when account.is_superuser
      or exists (select from public.memberships m where m.user_id = account.id and m.organization_id <> organization)
      or exists (select from public.site_permissions p join public.sites s on s.id = p.site_id
                  where p.user_id = account.id and s.organization_id <> organization and p.permissions <> '{}')
      or exists (select from public.social_accounts a join public.sites s on s.id = a.site_id
                  where a.user_id = account.id and s.organization_id <> organization)
      then 'forbidden'
    when not account.is_active then 'inactive'
    else 'signed in' end;
  if outcome <> 'signed in' then
    return;
  end if;
  if account.email_verified_at is null then
    delete from public.api_keys k where k.user_id = account.id;
    delete from public.social_accounts a where a.user_id = account.id;
    update public.users u set password_hash = null, tokens_valid_after = greatest(u.tokens_valid_after, p_at), email_verified_at = now()
     where u.id = account.id;
  end if;
  insert into public.social_accounts (site_id, social_app_id, issuer, subject, user_id) values (site, p_app, p_issuer, p_subject, account.id);
  update public.users u set last_login = now() where u.id = account.id;
  perform set_config('tessera.signed_in', account.id::text, true);
end $$;
--> statement-breakpoint

-- From now on an account that was just made is whom the provider named.
create function public.link_social_account(p_host text, p_slug text, p_app bigint, p_issuer text, p_subject text, p_user uuid) returns void
language plpgsql as $$
declare
  site bigint := public.use_social_app(p_host, p_slug, p_app);
begin
  insert into public.social_accounts (site_id, social_app_id, issuer, subject, user_id)
  select site, p_app, p_issuer, p_subject, u.id from public.users u where u.uuid = p_user;
end $$;
--> statement-breakpoint

-- Whether a host is one of the site that a request names: a domain of it, or the one that its slug has below p_base.
create function public.is_host_of_site(p_host text, p_slug text, p_other text, p_base text) returns boolean stable
language sql as $$
  select exists (select from public.sites s
                  where s.slug = public.site_at(p_host, p_slug)
                    and (p_other = s.slug || '.' || p_base
                         or exists (select from public.site_domains d where d.site_id = s.id and d.domain = p_other)))
$$;
--> statement-breakpoint
revoke execute on function public.enter_as_owner, public.hold_social_app, public.use_social_app, public.sign_in_socially,
  public.link_social_account, public.is_host_of_site from public;
