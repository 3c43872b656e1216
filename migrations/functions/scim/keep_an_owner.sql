-- Refuses (TS400) to remove or switch off an account without which an organization has no owner who can sign
-- in. Called by public.delete_scim_user, public.change_scim_user and src/identity/users.
create or replace function public.keep_an_owner(p_organization_id bigint, p_user_id bigint) returns void
language plpgsql as $$
begin
  if exists (select from public.memberships m
              where m.organization_id = p_organization_id and m.user_id = p_user_id and m.role = 'owner')
     and not exists (select from public.memberships m join public.users u on u.id = m.user_id
                      where m.organization_id = p_organization_id and m.user_id <> p_user_id
                        and m.role = 'owner' and u.is_active) then
    raise sqlstate 'TS400' using message = 'the last owner';
  end if;
end $$;
