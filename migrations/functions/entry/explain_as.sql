-- Prepares the explanation of access rules: until the end of the transaction, tessera.claims returns the
-- claims of another caller. That caller is a person of the site (p_user_id), an unnamed member of the group
-- p_group of its organization, an unnamed person with the role p_role of the site, or, without any of them, a
-- request without a caller. A person who holds
-- access_site has only one claim, may_change: whether the person also holds change_site. The statements still
-- run with the rights of the real caller, which public.enter checks.
--
-- Rejects (TS431) an account that is not a person of the site, and a group or role that does not exist.
-- Called by src/data.
create or replace function public.explain_as(
  p_site_id bigint, p_user_id bigint, p_group text, p_role text default null
) returns void
language plpgsql as $$
declare
  claims jsonb;
  nobody constant jsonb := public.claims_of(p_site_id, null);
  site public.sites;
begin
  select s.* into site from public.sites s where s.id = p_site_id;
  if p_user_id is not null then
    claims := coalesce(public.claims_of_person(p_site_id, p_user_id), (
      select jsonb_build_object('may_change', 'change_site' = any (
               public.held_permissions(null, s.organization_id, false, m.role, p.permissions)))
        from public.sites s
        left join public.memberships m on m.user_id = p_user_id and m.organization_id = s.organization_id
        left join public.site_permissions p on p.user_id = p_user_id and p.site_id = s.id
       where s.id = p_site_id));
  elsif p_group is null and p_role is null then
    claims := nobody;
  elsif exists (select from public.groups g
                 where g.organization_id = site.organization_id and g.name = p_group) then
    claims := nobody || jsonb_build_object(
      'signed_in', true, 'user', true, 'groups', jsonb_build_array(p_group),
      'roles', public.roles_of(site.roles, null, array[p_group]));
  elsif public.roles_of(site.roles, array[p_role], null) <> '{}' then
    claims := nobody
      || jsonb_build_object('signed_in', true, 'user', true, 'roles', jsonb_build_array(p_role));
  else
    raise sqlstate 'TS431' using message = 'no such group or role';
  end if;
  perform public.note_claims(p_site_id, claims);
end $$;
