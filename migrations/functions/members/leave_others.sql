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
  perform public.end_memberships(p_user_id, array(
    select t.organization_id from public.ties(p_user_id) t
     where t.kind in ('member', 'permission') and t.organization_id <> p_organization_id));
end $$;
