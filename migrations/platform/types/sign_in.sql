-- A sign-in, as src/access writes it behind the answer. id: that of the first refresh token, or of the
-- session. organization_id: the organization of the provider that it came from; null: the platform's own
-- sign-in. device and country: where it came from, as far as the request said so.
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
