-- Prepares the explanation of access rules: until the end of the transaction, tessera.claims returns the
-- claims of another caller. That caller is a person of the site (p_user_id), an unnamed member of the group
-- p_group of its organization, or, without either, a request without a caller. A person who holds
-- access_site has only one claim, may_change: whether the person also holds change_site. The statements still
-- run with the rights of the real caller, which public.enter checks.
--
-- Rejects (TS431) an account that is not a person of the site, and a group that does not exist. Called by
-- src/data.
create or replace function public.explain_as(p_site_id bigint, p_user_id bigint, p_group text) returns void
language plpgsql as $$
declare
  claims jsonb;
begin
  if p_user_id is not null then
    claims := coalesce(public.claims_of_person(p_site_id, p_user_id), (
      select jsonb_build_object('may_change', 'change_site' = any (
               public.held_permissions(null, s.organization_id, false, m.role, p.permissions)))
        from public.sites s
        left join public.memberships m on m.user_id = p_user_id and m.organization_id = s.organization_id
        left join public.site_permissions p on p.user_id = p_user_id and p.site_id = s.id
       where s.id = p_site_id));
  elsif p_group is null then
    claims := public.claims_of(p_site_id, null);
  elsif exists (select from public.groups g join public.sites s on s.organization_id = g.organization_id
                 where s.id = p_site_id and g.name = p_group) then
    claims := public.claims_of(p_site_id, null)
      || jsonb_build_object('signed_in', true, 'user', true, 'groups', jsonb_build_array(p_group));
  else
    raise sqlstate 'TS431' using message = 'no such group';
  end if;
  perform public.note_claims(p_site_id, claims);
end $$;
