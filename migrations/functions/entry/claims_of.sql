-- Returns the claims about a caller in a site that the views of guests read (tessera.claims), as a JSON
-- object: id, uuid, email (null unless the platform itself has verified the address), and the standing:
-- signed_in; user (whether the account belongs to the site: by a membership in its organization, a
-- permission or a role in it, a provider of it, or because the person signed up or joined there, X2); and
-- the names of the groups in the organization, and of the permissions and roles in the site, all sorted.
-- Null: the caller holds
-- access_site there, and is not a guest. A request without a caller has the claims of nobody; so have a
-- sign-in by the provider of another organization (S7) and a person whom the site keeps out. It does not
-- check that the caller may sign in: public.enter does. Called by public.claims_of_person,
-- public.enter_as_guest, public.explain_as and public.standing_of.
create or replace function public.claims_of(p_site_id bigint, p_caller public.caller) returns jsonb stable
language plpgsql as $$
declare
  claims jsonb;
begin
  if p_caller.id is not null then
    -- Every request of a guest runs this query: `case` and `or` skip the parts that are not needed.
    select case
             when 'access_site' = any (public.held_permissions(
                    null, s.organization_id, u.is_superuser, m.role, p.permissions)) then null
             else jsonb_build_object(
               'id', u.id, 'uuid', u.uuid,
               'email', case when u.email_verified_at is not null then u.email end,
               'signed_in', true,
               'user', m.role is not null or coalesce(p.permissions, '{}') <> '{}'
                       or coalesce(p.roles, '{}') <> '{}' or g.joined_at is not null
                       or exists (select from public.social_accounts a
                                   where a.user_id = u.id and a.site_id = s.id),
               'groups', of.groups,
               'permissions', case when cardinality(p.permissions) > 1
                 then array(select held from unnest(p.permissions) held order by held collate "C")
                 else coalesce(p.permissions, '{}') end,
               'roles', public.roles_of(s.roles, p.roles, of.groups))
           end into claims
      from public.sites s
      join public.users u on u.id = p_caller.id
      left join public.memberships m on m.user_id = u.id and m.organization_id = s.organization_id
      left join public.site_permissions p on p.user_id = u.id and p.site_id = s.id
      left join public.site_guests g on g.user_id = u.id and g.site_id = s.id
      cross join lateral (select case when m.role is null then '{}'
                                 else public.groups_of(s.organization_id, u.id) end as groups) of
     where s.id = p_site_id
       and (g.blocked_at is null or m.role is not null or p.permissions <> '{}' or u.is_superuser)
       and (p_caller.organization_id is null or p_caller.organization_id = s.organization_id);
    if found then
      return claims;
    end if;
  end if;
  return '{"id": null, "uuid": null, "email": null,
           "signed_in": false, "user": false, "groups": [], "permissions": [], "roles": []}';
end $$;
