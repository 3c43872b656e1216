-- Attaches the social account of a confirmation to its account, for the person who has read the code in the
-- e-mail. The code proves to the service that the account is theirs. The result is in outcome:
--   signed in  the social account is attached; account and organization_id are set
--   wrong      the code is wrong; there are five attempts
--   gone       the confirmation has expired, was used, or is of another site or host; the account may not be
--              attached any more; or all its confirmations of the last hour together had 25 attempts, because
--              anybody can create any number of confirmations by starting sign-ins
-- p_host and p_slug: the host and the slug by which the request names its site. p_domain: the host, if it can
-- be a tenant's; null: it is one of the platform. Raises the errors of public.use_social_app. Called by
-- src/identity/login.
create or replace function public.confirm_social_account(
  p_host text, p_slug text, p_domain text, p_confirmation uuid, p_code_hash text,
  out outcome text, out account public.users, out organization_id bigint, out ended text[]
) language plpgsql as $$
declare
  confirmation public.confirmations;
begin
  -- Locks the account first, as a change of its e-mail does, which ends its confirmations.
  perform from public.confirmations c join public.users u on u.id = c.user_id
    where c.id = p_confirmation for no key update of u;
  update public.confirmations c set attempts = c.attempts + 1 from public.sites s
   where c.id = p_confirmation and c.host is not distinct from p_domain and c.expires_at > now()
     and c.attempts < 5
     and (select sum(x.attempts) from public.confirmations x where x.user_id = c.user_id) < 25
     and s.id = c.site_id and s.slug = public.site_at(p_host, p_slug)
  returning c.* into confirmation;
  if not found then
    outcome := 'gone';
    return;
  elsif confirmation.code_hash is distinct from p_code_hash then
    outcome := 'wrong';
    return;
  end if;
  perform public.use_social_app(p_host, p_slug, confirmation.social_app_id);
  perform from public.users u where u.id = confirmation.user_id and u.is_active and not u.is_superuser;
  if not found then
    outcome := 'gone';
    return;
  end if;
  organization_id := (select s.organization_id from public.sites s where s.id = confirmation.site_id);
  ended := public.drop_unproven(confirmation.user_id);
  perform public.tell_ended(confirmation.user_id, ended);
  update public.users u set email_verified_at = now(), last_login = now() where u.id = confirmation.user_id;
  insert into public.social_accounts as a (site_id, social_app_id, issuer, subject, user_id, is_own)
  values (confirmation.site_id, confirmation.social_app_id, confirmation.issuer, confirmation.subject,
          confirmation.user_id, true)
  on conflict (site_id, social_app_id, issuer, subject) do update set is_own = true
    where a.user_id = excluded.user_id;
  if not found then
    outcome := 'gone';
    return;
  end if;
  delete from public.confirmations c where c.id = p_confirmation;
  outcome := 'signed in';
  select u.* into account from public.users u where u.id = confirmation.user_id;
end $$;
