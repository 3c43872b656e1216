-- The person whose view of a site a caller sees, as src/db/tenant.ts writes it. person_id: the account of the
-- person. standing: the standing (public.standing_of) of that person that the statements were planned for, as
-- JSON; `null` for a person who holds access_site. as_site: the statements run with the rights of the site's
-- role for every person, to read the catalog.
create type public.viewing as (
  person_id bigint,
  standing text,
  as_site boolean
);
