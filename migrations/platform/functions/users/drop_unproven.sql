-- Takes from an account what others may have given it, so that nobody but the person keeps a way in: an API key, a social
-- account or a password stays only if the person has made it after a proof to this service. S7.
create or replace function public.drop_unproven(p_user bigint) returns void
language plpgsql as $$
begin
  delete from public.api_keys k where k.user_id = p_user and not k.is_own;
  delete from public.social_accounts a where a.user_id = p_user and not a.is_own;
  -- With a password that is not the person's own, all sign-ins end: it may be what they were made with.
  perform public.end_sign_ins(u.id) from public.users u where u.id = p_user and not u.password_is_own;
  update public.users u set password_hash = null where u.id = p_user and not u.password_is_own;
end $$;
