-- Returns the caller (public.claims_of), for the views of what guests may see. It runs with the rights of the
-- platform, as no other function of this schema does, to read the key of the signature. In a view,
-- `(select tessera.claims())` is evaluated once a statement.
--
-- Refuses (42501) claims that public.enter_as_guest has not set in this transaction, and a transaction
-- without claims: every statement can set the setting. Called by src/data, in the views of guests.
create or replace function tessera.claims() returns jsonb stable parallel restricted
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  -- The signature and the claims.
  setting constant text := current_setting('tessera.claims', true);
begin
  if (left(setting, 64) = public.sign_claims(substr(setting, 65))) is not true then
    raise insufficient_privilege using message = 'the transaction has no valid claims';
  end if;
  return substr(setting, 65)::jsonb;
end $$;
