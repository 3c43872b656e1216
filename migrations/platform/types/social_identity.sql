-- A person, as a provider identifies them to a site. host and slug: the host and the slug by which the
-- request names its site. social_app_id: the social app that the site has for the provider. issuer and
-- subject: the provider, and its identifier of the person.
create type public.social_identity as (
  host text,
  slug text,
  social_app_id bigint,
  issuer text,
  subject text
);
