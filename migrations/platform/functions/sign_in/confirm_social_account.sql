-- Attaches the social account that a confirmation is about, for whoever has read the code in the letter: the platform's own
-- proof that the account is theirs. Outcomes: 'signed in', with p_account and p_organization; 'wrong', for another code, which
-- may be tried four times; 'gone', for a confirmation that has expired, was used, or was never made at this site.
create or replace function public.confirm_social_account(
  p_host text, p_slug text, p_confirmation uuid, p_code_hash text,
  out outcome text, out p_account public.users, out p_organization bigint
) language plpgsql as $$
declare
  confirmation public.confirmations;
begin
  -- The account first, as whoever changes its e-mail does, which ends its confirmations.
  perform from public.confirmations c join public.users u on u.id = c.user_id where c.id = p_confirmation for no key update of u;
  update public.confirmations c set attempts = c.attempts + 1 from public.sites s
   where c.id = p_confirmation and c.expires_at > now() and c.attempts < 5
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
  p_organization := (select s.organization_id from public.sites s where s.id = confirmation.site_id);
  perform public.drop_unproven(confirmation.user_id);
  update public.users u set email_verified_at = now(), last_login = now() where u.id = confirmation.user_id;
  insert into public.social_accounts as a (site_id, social_app_id, issuer, subject, user_id, is_own)
  values (confirmation.site_id, confirmation.social_app_id, confirmation.issuer, confirmation.subject, confirmation.user_id, true)
  on conflict (site_id, social_app_id, issuer, subject) do update set is_own = true where a.user_id = excluded.user_id;
  if not found then
    outcome := 'gone';
    return;
  end if;
  delete from public.confirmations c where c.id = p_confirmation;
  outcome := 'signed in';
  select u.* into p_account from public.users u where u.id = confirmation.user_id;
end $$;
