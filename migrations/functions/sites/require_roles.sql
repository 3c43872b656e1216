-- Refuses (TS447, with the name as the detail) the name of a role that a site does not have. Until the end of
-- the transaction, no role is removed from the site (public.keep_roles). X2. Called by
-- src/identity/organizations.
create or replace function public.require_roles(p_site_id bigint, p_roles text[]) returns void
language plpgsql as $$
declare
  own jsonb;
  missing text;
begin
  select s.roles into own from public.sites s where s.id = p_site_id for share;
  missing := (select min(n.name) from unnest(p_roles) n (name)
               where not own @> jsonb_build_array(jsonb_build_object('name', n.name)));
  if missing is not null then
    raise sqlstate 'TS447' using message = 'the site has no such role', detail = missing;
  end if;
end $$;
