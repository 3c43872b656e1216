-- The part of a request in one site of several, as src/kernel/db/site-parts.ts writes it. slug: the site.
-- site_id and catalog_version: for which site, and which version of its catalog, the statements were
-- planned. timeout_ms: the most time of a read. read: the app and the table that they read, for the audit;
-- null: it gets no entry. bytes_max: the most bytes of their rows. next: the slug of the part that follows;
-- null: none does. parts_left: how many follow.
create type public.part as (
  slug text,
  site_id bigint,
  catalog_version bigint,
  timeout_ms integer,
  read text,
  bytes_max integer,
  next text,
  parts_left integer
);
