-- Returns the names of a person's groups in an organization, sorted. Called by public.claims_of,
-- public.gives_roles and public.people_of.
create or replace function public.groups_of(p_organization_id bigint, p_user_id bigint) returns text[] stable
language sql as $$
  select array(select g.name from public.group_members x join public.groups g on g.id = x.group_id
                where x.user_id = p_user_id and g.organization_id = p_organization_id
                order by g.name collate "C")
$$;
