-- Ends the memberships of an account in all other organizations than this one, with its groups there and its
-- permissions in their sites. An organization that has switched the account off must not get it back as a
-- member because another one invites it. Refuses (TS403) the only owner of an organization. Called by
-- public.accept_invitation.
create or replace function public.leave_others(p_user_id bigint, p_organization_id bigint) returns void
language plpgsql as $$
begin
  perform public.lock_owned(p_user_id);
  if public.is_only_owner(p_user_id) then
    raise sqlstate 'TS403' using message = 'the account is the only owner of an organization';
  end if;
  delete from public.site_permissions p using public.sites s
   where s.id = p.site_id and s.organization_id <> p_organization_id and p.user_id = p_user_id;
  delete from public.group_members m using public.groups g
   where g.id = m.group_id and g.organization_id <> p_organization_id and m.user_id = p_user_id;
  delete from public.memberships m where m.organization_id <> p_organization_id and m.user_id = p_user_id;
end $$;
