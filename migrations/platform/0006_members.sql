-- Changes of who is in an organization. Each takes the organization's row, so that two of them cannot together take its
-- last owner away. They fail with TS404 for somebody who is no member, TS403 where only an owner may, TS400 for the last owner.

create function public.guard_member(p_organization bigint, p_caller bigint, p_user bigint, p_stays_owner boolean) returns void
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
--> statement-breakpoint

create function public.change_role(p_organization bigint, p_caller bigint, p_user bigint, p_role text) returns void
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
--> statement-breakpoint

-- With the membership go the groups and the permissions in the organization's sites.
create function public.remove_member(p_organization bigint, p_caller bigint, p_user bigint) returns void
language plpgsql as $$
begin
  perform public.guard_member(p_organization, p_caller, p_user, false);
  delete from public.site_permissions p using public.sites s
   where s.id = p.site_id and s.organization_id = p_organization and p.user_id = p_user;
  delete from public.group_members g using public.groups o
   where o.id = g.group_id and o.organization_id = p_organization and g.user_id = p_user;
  delete from public.memberships where organization_id = p_organization and user_id = p_user;
end $$;
--> statement-breakpoint
revoke execute on function public.guard_member, public.change_role, public.remove_member from public;
