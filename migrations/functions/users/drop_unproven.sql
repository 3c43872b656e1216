-- Removes every credential of an account that somebody else may have made. An API key, a social account or a
-- password stays only if the person made it after a proof to this service; a second factor or a passkey
-- stays only if it was added with the current e-mail address. If the password is removed, all sign-ins end,
-- and a planned deletion is cancelled, because they may have been made with it. S7. Returns what ended:
-- 'password', 'api_keys', 'sessions' and 'providers'. S10. Called by public.confirm_social_account,
-- public.attach_social_account, public.reset_password and public.verify_email.
create or replace function public.drop_unproven(p_user_id bigint) returns text[]
language plpgsql as $$
declare
  ended text[] := '{}';
  has_password boolean;
  is_proven boolean;
begin
  select u.password_hash is not null, u.password_is_own into has_password, is_proven
    from public.users u where u.id = p_user_id;
  if has_password and not is_proven then
    ended := ended || 'password'::text;
  end if;
  perform public.drop_foreign_factors(p_user_id);
  delete from public.api_keys k where k.user_id = p_user_id and not k.is_own;
  if found then
    ended := ended || 'api_keys'::text;
  end if;
  -- A sign-in need not have a row: with a password, there can be some.
  if not is_proven and (has_password or exists (
       select from public.refresh_families f where f.user_id = p_user_id and f.revoked_at is null)) then
    ended := ended || 'sessions'::text;
  end if;
  delete from public.social_accounts a where a.user_id = p_user_id and not a.is_own;
  if found then
    ended := ended || 'providers'::text;
  end if;
  perform public.end_sign_ins(u.id) from public.users u where u.id = p_user_id and not u.password_is_own;
  update public.users u set password_hash = null, deletes_at = null
   where u.id = p_user_id and not u.password_is_own;
  return ended;
end $$;
