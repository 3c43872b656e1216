-- Returns whether a sign-in is open: it was not ended individually. A sign-in that is not recorded is open.
-- Notes when it was last used, to the minute. Called by public.enter, public.find_caller and
-- src/identity/accounts.
create or replace function public.is_open(p_sign_in uuid) returns boolean
language plpgsql as $$
declare
  sign_in record;
begin
  select f.revoked_at, f.last_used_at < now() - interval '1 minute' as is_stale into sign_in
    from public.refresh_families f where f.id = p_sign_in;
  -- A read-only transaction notes nothing. The update does not wait for another request that notes the same.
  if sign_in.is_stale and sign_in.revoked_at is null
     and current_setting('transaction_read_only') = 'off' then
    update public.refresh_families f set last_used_at = now()
     where f.id in (select x.id from public.refresh_families x
                     where x.id = p_sign_in for no key update skip locked);
  end if;
  return sign_in.revoked_at is null;
end $$;
