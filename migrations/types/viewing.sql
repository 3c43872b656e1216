-- Who is seen as, as src/kernel/db/tenant.ts writes it. person_id: the account. standing: the standing
-- (public.standing_of) of that person that the statements were planned for, as JSON; `null` for one who holds
-- access_site. as_site: statements run as the role of the site for anybody, to read the catalog.
create type public.viewing as (
  person_id bigint,
  standing text,
  as_site boolean
);
