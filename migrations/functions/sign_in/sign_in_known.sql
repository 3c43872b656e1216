-- Signs in a person whose social account is already attached to an account. outcome: 'signed in', with the
-- account; 'inactive' or 'forbidden', as in public.sign_in_socially; null: the social account is not
-- attached. The account may have ties to other organizations, because the sign-in counts only in the
-- provider's organization. Called by public.sign_in_socially.
create or replace function public.sign_in_known(
  p_site_id bigint, p_identity public.social_identity, out outcome text, out account public.users
) language plpgsql as $$
declare
  link public.social_accounts;
  known public.users;
begin
  select a.* into link from public.social_accounts a
   where a.site_id = p_site_id and a.social_app_id = p_identity.social_app_id
     and a.issuer = p_identity.issuer and a.subject = p_identity.subject;
  if not found then
    return;
  end if;
  select u.* into known from public.users u where u.id = link.user_id;
  outcome := case
    when known.is_superuser then 'forbidden'
    when not known.is_active then 'inactive'
    else 'signed in' end;
  if outcome = 'signed in' then
    update public.users u set last_login = now() where u.id = known.id returning u.* into account;
    update public.social_accounts a set last_login = now() where a.id = link.id;
  end if;
end $$;
