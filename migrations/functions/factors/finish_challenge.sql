-- Finishes a sign-in that waits for a second factor, with the time step p_step of a correct code of the
-- authenticator app, or with the hash of a recovery code. Neither can be used again. Returns the sign-in; no
-- row if it no longer waits, or the code is wrong or was used. p_is_totp without p_step: the code is wrong.
-- After every five wrong codes in a row, no code is accepted for a time that doubles, from a minute up to an
-- hour. Called by src/identity/accounts.
create or replace function public.finish_challenge(
  p_challenge uuid, p_is_totp boolean, p_step bigint, p_recovery_hash text
) returns setof public.sign_in_challenges
language plpgsql as $$
declare
  challenge public.sign_in_challenges;
  is_right boolean;
begin
  -- Locks the account first, as everything else that changes its factors does.
  perform from public.sign_in_challenges c join public.users u on u.id = c.user_id
    where c.id = p_challenge for no key update of u;
  select c.* into challenge from public.sign_in_challenges c join public.users u on u.id = c.user_id
   where c.id = p_challenge and c.expires_at > now() and u.is_active and u.generation = c.generation;
  if not found then
    return;
  end if;
  if p_is_totp then
    update public.totp_secrets t set last_step = p_step, failures = 0, blocked_until = null
     where t.user_id = challenge.user_id and t.confirmed_at is not null and t.last_step < p_step
       and (t.blocked_until is null or t.blocked_until <= now());
    is_right := found;
    if not is_right then
      update public.totp_secrets t
         set failures = t.failures + 1,
             blocked_until = case when (t.failures + 1) % 5 = 0
               then now() + make_interval(mins => least(60, 2 ^ least(6, (t.failures + 1) / 5 - 1))::integer)
               else t.blocked_until end
       where t.user_id = challenge.user_id and (t.blocked_until is null or t.blocked_until <= now());
    end if;
  else
    delete from public.recovery_codes r
     where r.user_id = challenge.user_id and r.hash = p_recovery_hash;
    is_right := found;
  end if;
  if is_right then
    delete from public.sign_in_challenges c where c.id = p_challenge;
    update public.users u set last_login = now() where u.id = challenge.user_id;
    return next challenge;
  end if;
end $$;
