-- One thing at a time is done about an address: no account is deleted for one invitation while another is made for it.
create or replace function public.take_address(p_email text) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('address ' || lower(p_email), 0))
$$;
