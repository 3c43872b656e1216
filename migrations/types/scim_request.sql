-- A request of an organization's directory, as src/identity/scim writes it. creator_id: who made its key;
-- null: that account no longer exists. host and slug: what the request names its site by.
create type public.scim_request as (
  organization_id bigint,
  creator_id bigint,
  host text,
  slug text
);
