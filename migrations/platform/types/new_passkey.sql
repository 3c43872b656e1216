-- A passkey to add. rp_id: the host that requested it. is_service: whether that host is the service itself.
create type public.new_passkey as (
  credential_id text,
  public_key text,
  counter bigint,
  rp_id text,
  is_service boolean,
  transports text[],
  name text
);
