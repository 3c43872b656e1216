-- A person, as a provider names them to a site. host and slug: what the request names its site by.
-- social_app_id: the social app that the site has for the provider. issuer and subject: the provider, and its
-- name for the person. domain: the host, if it can be a tenant's; null: it is one of the platform.
create type public.social_identity as (
  host text,
  slug text,
  social_app_id bigint,
  issuer text,
  subject text,
  domain text
);
