-- Adds a new member to the groups to which the directory of the organization has added the account before. A
-- trigger of memberships.
create or replace function public.restore_groups() returns trigger
language plpgsql as $$
begin
  insert into public.group_members (group_id, user_id)
  select g.id, new.user_id
    from public.scim_users x
    join public.groups g on g.organization_id = x.organization_id and g.id = any (x.held_groups)
   where x.organization_id = new.organization_id and x.user_id = new.user_id
  on conflict do nothing;
  update public.scim_users x set held_groups = '{}', is_suspended = false
   where x.organization_id = new.organization_id and x.user_id = new.user_id;
  return null;
end $$;
