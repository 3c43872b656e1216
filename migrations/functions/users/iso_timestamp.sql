-- Returns a time as clients see it, for example 2026-01-31T12:00:00Z. Called by public.account_json,
-- public.export_account and public.export_credentials.
create or replace function public.iso_timestamp(p_time timestamptz) returns text stable
language sql as $$
  select replace(to_json(p_time at time zone 'UTC') #>> '{}' || 'Z', '+00:00', '')
$$;
