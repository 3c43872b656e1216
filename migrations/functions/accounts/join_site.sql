-- Makes an account that already exists belong to the site that a request names (p_host, p_slug), as a
-- sign-up with its address would: the site must take the address, and require no proof that the account
-- lacks. X2. Then gives it the groups of its domain, if the address is proved. p_organization_id: the
-- organization whose provider the sign-in came from; null: none. Returns the account; null if it belongs to
-- the site already, or may not join, for example because the site keeps the person out. Called by
-- src/identity/accounts.
create or replace function public.join_site(
  p_host text, p_slug text, p_user_id bigint, p_organization_id bigint
) returns public.users
language plpgsql as $$
declare
  site public.sites;
  account public.users;
begin
  select s.* into site from public.sites s where s.slug = public.site_at(p_host, p_slug);
  select u.* into account from public.users u where u.id = p_user_id for no key update;
  if not public.takes_sign_up(site, account.email)
     or site.require_verified_email and account.email_verified_at is null
     or coalesce(p_organization_id, site.organization_id) <> site.organization_id
     or exists (select from public.site_guests g
                 where g.user_id = account.id and g.site_id = site.id
                   and (g.joined_at is not null or g.blocked_at is not null)) then
    return null;
  end if;
  perform public.note_joined(site.id, account.id, p_organization_id);
  if account.email_verified_at is not null then
    perform public.join_domain_groups(site, account);
  end if;
  return account;
end $$;
