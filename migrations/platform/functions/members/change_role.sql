create or replace function public.change_role(p_organization bigint, p_caller bigint, p_user bigint, p_role text) returns void
language plpgsql as $$
begin
  perform public.guard_member(p_organization, p_caller, p_user, p_role = 'owner');
  if p_role = 'owner'
     and not exists (select from public.memberships m where m.organization_id = p_organization and m.user_id = p_caller and m.role = 'owner')
     and not exists (select from public.users u where u.id = p_caller and u.is_superuser)
  then
    raise sqlstate 'TS403' using message = 'only an owner may make an owner';
  end if;
  update public.memberships set role = p_role where organization_id = p_organization and user_id = p_user;
end $$;
