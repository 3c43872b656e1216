-- A site that was entered, and the version of its catalog.
create type public.entered as (
  site_id bigint,
  catalog_version bigint
);
