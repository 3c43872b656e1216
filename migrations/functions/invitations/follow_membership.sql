-- Settles the pending invitation to a new member (public.settle_invitations). A trigger of memberships.
create or replace function public.follow_membership() returns trigger
language plpgsql as $$
begin
  perform public.settle_invitations(new.organization_id, u) from public.users u where u.id = new.user_id;
  return null;
end $$;
