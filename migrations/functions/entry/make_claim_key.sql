-- Creates the key that public.sign_claims signs with, unless there is one: 244 random bits, as HMAC (RFC
-- 2104) uses them. Called by migrations/rights.sql.
create or replace function public.make_claim_key() returns void
language plpgsql as $$
declare
  key constant bytea := uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid());
  -- The blocks of 64 bytes that the key is combined with.
  inner_pad bytea := decode(repeat('36', 64), 'hex');
  outer_pad bytea := decode(repeat('5c', 64), 'hex');
begin
  for place in 0 .. length(key) - 1 loop
    inner_pad := set_byte(inner_pad, place, get_byte(inner_pad, place) # get_byte(key, place));
    outer_pad := set_byte(outer_pad, place, get_byte(outer_pad, place) # get_byte(key, place));
  end loop;
  insert into public.claim_keys (id, inner_pad, outer_pad) values (1, inner_pad, outer_pad)
  on conflict do nothing;
end $$;
