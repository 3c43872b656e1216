-- Adds accounts of an organization to one of its groups for its directory: members at once, others when they
-- become members. Refuses (TS442, with the id as the detail) an account that the directory does not see, and
-- (TS443) a new member of the group who ranks above the maker of the key (public.require_scim_rank). Called
-- by src/identity/scim.
create or replace function public.join_scim_group(
  p_request public.scim_request, p_group_id bigint, p_user_ids bigint[]
) returns void
language plpgsql as $$
declare
  organization constant bigint := p_request.organization_id;
  unknown constant bigint := (
    select i.id from unnest(p_user_ids) i (id)
     where not exists (select from public.memberships m
                        where m.organization_id = organization and m.user_id = i.id)
       and not exists (select from public.scim_users x
                        where x.organization_id = organization and x.user_id = i.id)
     limit 1);
begin
  if unknown is not null then
    raise sqlstate 'TS442' using message = 'no such account in the organization', detail = unknown::text;
  end if;
  perform public.require_scim_rank(p_request, array(
    select i.id from unnest(p_user_ids) i (id)
     where not exists (select from public.group_members m
                        where m.group_id = p_group_id and m.user_id = i.id)));
  insert into public.group_members (group_id, user_id)
  select p_group_id, m.user_id from public.memberships m
   where m.organization_id = organization and m.user_id = any (p_user_ids)
  on conflict do nothing;
  update public.scim_users x set held_groups = x.held_groups || p_group_id
   where x.organization_id = organization and x.user_id = any (p_user_ids)
     and p_group_id <> all (x.held_groups)
     and not exists (select from public.memberships m
                      where m.organization_id = organization and m.user_id = x.user_id);
end $$;
