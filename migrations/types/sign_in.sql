-- A sign-in, as src/kernel/access writes it behind the answer. id: that of the first refresh token, or of the
-- session. organization_id, host and by_password: as in public.caller. device and country: where it came
-- from, as far as the request said so.
create type public.sign_in as (
  id uuid,
  user_id bigint,
  generation integer,
  organization_id bigint,
  is_session boolean,
  expires_at timestamptz,
  device text,
  country text,
  host text,
  by_password boolean
);
