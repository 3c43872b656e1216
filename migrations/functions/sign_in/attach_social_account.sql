-- Attaches a person's social account to the account with the same verified e-mail, signs it in, and returns
-- it. If the organization vouches for the e-mail for the first time, the account loses the credentials that
-- somebody else may have made (public.drop_unproven): ended names them, and an e-mail tells the owner. S10.
-- Called by public.sign_in_socially.
create or replace function public.attach_social_account(
  p_user_id bigint, p_site_id bigint, p_identity public.social_identity, out account public.users,
  out ended text[]
) language plpgsql as $$
begin
  ended := '{}';
  if not exists (
    select from public.social_accounts a join public.sites s on s.id = a.site_id
     where a.user_id = p_user_id and (a.is_vouched or a.is_own)
       and s.organization_id = (select o.organization_id from public.sites o where o.id = p_site_id)
  ) then
    ended := public.drop_unproven(p_user_id);
    perform public.tell_ended(p_user_id, ended);
  end if;
  insert into public.social_accounts (site_id, social_app_id, issuer, subject, user_id, is_vouched)
  values (p_site_id, p_identity.social_app_id, p_identity.issuer, p_identity.subject, p_user_id, true);
  update public.users u set last_login = now() where u.id = p_user_id;
  select u.* into account from public.users u where u.id = p_user_id;
end $$;
