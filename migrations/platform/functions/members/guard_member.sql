create or replace function public.guard_member(p_organization bigint, p_caller bigint, p_user bigint, p_stays_owner boolean) returns void
language plpgsql as $$
declare
  present text;
begin
  perform from public.organizations o where o.id = p_organization for update;
  select m.role into present from public.memberships m where m.organization_id = p_organization and m.user_id = p_user;
  if not found then
    raise sqlstate 'TS404' using message = 'no such member';
  end if;
  if present <> 'owner' then
    return;
  end if;
  if p_caller <> p_user
     and not exists (select from public.memberships m where m.organization_id = p_organization and m.user_id = p_caller and m.role = 'owner')
     and not exists (select from public.users u where u.id = p_caller and u.is_superuser)
  then
    raise sqlstate 'TS403' using message = 'only an owner may change an owner';
  end if;
  if not p_stays_owner and not exists (
    select from public.memberships m where m.organization_id = p_organization and m.user_id <> p_user and m.role = 'owner'
  ) then
    raise sqlstate 'TS400' using message = 'the last owner';
  end if;
end $$;
