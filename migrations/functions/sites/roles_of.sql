-- Returns the names of the roles that a person has in a site, sorted: of its roles (p_roles: sites.roles)
-- those that were given (p_given: site_permissions.roles), and those of the person's groups (p_groups). X2.
-- Null arguments give nothing. Called by public.claims_of,
-- public.explain_as, public.give_roles, public.gives_roles and public.people_of.
create or replace function public.roles_of(p_roles jsonb, p_given text[], p_groups text[]) returns text[]
immutable parallel safe
language sql return case when p_roles = '[]' then '{}'::text[] else array(
  select r.role ->> 'name' from jsonb_array_elements(p_roles) r (role)
   where r.role ->> 'name' = any (p_given) or r.role -> 'groups' ?| p_groups
   order by (r.role ->> 'name') collate "C") end;
