-- A passkey to be added. rp_id: the host that asked for it. is_service: whether that is the service itself.
create type public.new_passkey as (
  credential_id text,
  public_key text,
  counter bigint,
  rp_id text,
  is_service boolean,
  transports text[],
  name text
);
