-- A sign-in, as src/access records it after the response. id: the id of the first refresh token, or of the
-- session. organization_id: the organization of the provider that it came from; null: the platform's own
-- sign-in. device and country: where it came from, if the request tells.
create type public.sign_in as (
  id uuid,
  user_id bigint,
  generation integer,
  organization_id bigint,
  is_session boolean,
  expires_at timestamptz,
  device text,
  country text
);
