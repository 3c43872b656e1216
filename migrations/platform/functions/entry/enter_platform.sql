-- Refuses whom the token names if the account is gone, inactive, or had its tokens revoked since the token was issued.
create or replace function public.enter_platform(p_caller bigint, p_issued_at timestamptz, p_timeout_ms integer, out is_superuser boolean)
language plpgsql as $$
begin
  select u.is_superuser into enter_platform.is_superuser
    from public.users u
   where u.id = p_caller and u.is_active and u.tokens_valid_after <= p_issued_at;
  if not found then
    raise sqlstate 'TS401' using message = 'the caller may not sign in';
  end if;
  perform set_config('statement_timeout', p_timeout_ms::text, true);
end $$;
