-- Counts an attempt to finish a sign-in that waits for a second factor, and returns what the code is checked
-- with: the stored secret of the authenticator app, if the account has one, and for how many seconds the
-- account accepts no code. Returns no row if the sign-in no longer waits: it has expired, was finished or had
-- five attempts, began at another host than the tenant's host p_domain (null: a host of the platform), or the
-- account has changed. Called by src/identity/accounts.
create or replace function public.attempt_challenge(p_challenge uuid, p_domain text)
returns table (user_id bigint, secret text, master_kid text, blocked_seconds integer)
language plpgsql as $$
declare
  challenge public.sign_in_challenges;
begin
  update public.sign_in_challenges c set attempts = c.attempts + 1 from public.users u
   where c.id = p_challenge and c.expires_at > now() and c.attempts < 5
     and c.host is not distinct from p_domain
     and (p_domain is null or public.party_organization(p_domain, false) = c.organization_id)
     and u.id = c.user_id and u.is_active and u.generation = c.generation
  returning c.* into challenge;
  if not found then
    return;
  end if;
  return query
    select challenge.user_id, t.secret, t.master_kid,
           greatest(0, ceil(extract(epoch from t.blocked_until - now())))::integer
      from (select) x
      left join public.totp_secrets t on t.user_id = challenge.user_id and t.confirmed_at is not null;
end $$;
