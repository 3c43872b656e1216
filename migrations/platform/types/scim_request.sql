-- A request of an organization's directory, as src/scim writes it. creator_id: the account that made the key;
-- null: that account no longer exists. host and slug: the host and the slug by which the request names its
-- site.
create type public.scim_request as (
  organization_id bigint,
  creator_id bigint,
  host text,
  slug text
);
