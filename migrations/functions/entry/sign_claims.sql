-- Returns the signature of claims in this transaction: 64 hexadecimal digits of an HMAC-SHA-256 (RFC 2104)
-- over the process of the connection, the time at which the transaction began, and the claims. It is not
-- valid in any other transaction. Null: there is no key, or there are no claims. Called by public.note_claims
-- and tessera.claims.
create or replace function public.sign_claims(p_claims text) returns text stable
language plpgsql as $$
declare
  key record;
  -- The time as a number: its text does not depend on a setting.
  signed constant bytea := convert_to(
    pg_backend_pid() || ' ' || extract(epoch from transaction_timestamp()) || ' ' || p_claims, 'UTF8');
begin
  select k.inner_pad, k.outer_pad into key from public.claim_keys k;
  return encode(sha256(key.outer_pad || sha256(key.inner_pad || signed)), 'hex');
end $$;
