-- Turns on the authenticator app whose first code was checked: p_secret is its stored secret, p_step the time
-- step of the code. p_hashes: the recovery codes that the account gets if the app is its first factor.
-- Returns the new generation, and whether the recovery codes were stored. Returns no row if the stored secret
-- has changed since the check, or if no factor may be added any more (public.may_add_factor). Called by
-- src/identity/accounts.
create or replace function public.confirm_totp(
  p_user_id bigint, p_secret text, p_step bigint, p_hashes text[], p_notice uuid
) returns table (generation integer, has_codes boolean)
language plpgsql as $$
declare
  account public.users;
begin
  select u.* into account from public.users u where u.id = p_user_id for no key update;
  if not public.may_add_factor(account) then
    return;
  end if;
  has_codes := not public.has_factor(p_user_id);
  update public.totp_secrets t set confirmed_at = now(), last_step = p_step, failures = 0
   where t.user_id = p_user_id and t.secret = p_secret and t.confirmed_at is null;
  if found then
    generation := public.note_new_factor(p_user_id, case when has_codes then p_hashes end, p_notice);
    return next;
  end if;
end $$;
