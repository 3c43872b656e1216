-- Ends the pending invitation to somebody who is no member any more, so that it does not bring the person
-- back: before the deletion of an account, and after that of a membership. A trigger of users and of
-- memberships.
create or replace function public.follow_removal() returns trigger
language plpgsql as $$
begin
  if tg_table_name = 'users' then
    perform public.end_invitations(m.organization_id, old.email, 'removed')
       from public.memberships m where m.user_id = old.id;
    return old;
  end if;
  perform public.end_invitations(old.organization_id, u.email, 'removed')
     from public.users u where u.id = old.user_id;
  return null;
end $$;
