-- Trusts the browser in which a second factor was just used for p_days days. p_hash: the hash of the token of
-- the browser. An account has at most twenty trusted browsers: the oldest are removed. The caller has locked
-- the account, so that it does not miss a change that ends this trust. Called by src/identity/accounts.
create or replace function public.trust_device(
  p_user_id bigint, p_hash text, p_device text, p_country text, p_days integer
) returns void
language plpgsql as $$
begin
  delete from public.trusted_devices t
   where t.id in (select x.id from public.trusted_devices x where x.user_id = p_user_id
                   order by x.created desc, x.id desc offset 19);
  insert into public.trusted_devices (user_id, hash, device, country, expires_at)
  values (p_user_id, p_hash, p_device, p_country, now() + make_interval(days => p_days));
end $$;
