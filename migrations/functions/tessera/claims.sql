-- Returns the caller (public.claims_of), for the views of what guests may see. It runs with the rights of the
-- platform, which it needs to read the key of the signature. In a view, `(select tessera.claims())` is
-- evaluated once per statement.
--
-- Refuses (42501) a transaction without claims, and claims without a valid signature of this transaction,
-- because any statement can change the setting that has the claims. Called by
-- tessera.is_here_now, tessera.claim_answer, tessera.find_answer, tessera.keep_answer and tessera.keep_error,
-- and by src/data in the views of guests.
create or replace function tessera.claims() returns jsonb stable parallel restricted
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  -- The signature and the claims.
  setting constant pg_catalog.text := current_setting('tessera.claims', true);
begin
  if (left(setting, 64) = public.sign_claims(substr(setting, 65))) is not true then
    raise insufficient_privilege using message = 'the transaction has no valid claims';
  end if;
  return substr(setting, 65)::jsonb;
end $$;
