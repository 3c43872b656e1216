-- Follows a change of an account with the pending invitations to its address. After a change of the address,
-- those to the former one end, and those to the new one are attached to the account. If the account is
-- switched off, those of its organizations end. If its address is proved, they are settled
-- (public.settle_invitations). A trigger of users.
create or replace function public.follow_account() returns trigger
language plpgsql as $$
begin
  if lower(new.email) <> lower(old.email) then
    perform public.end_invitations(null, old.email, 'address');
    update public.invitations i set invitee = new.id
     where i.invitee is null and lower(i.invitee_identifier) = lower(new.email) and public.is_pending(i);
  end if;
  if old.is_active and not new.is_active then
    perform public.end_invitations(m.organization_id, new.email, 'deactivated')
       from public.memberships m where m.user_id = new.id;
  elsif new.email_verified_at is not null then
    perform public.settle_invitations(m.organization_id, new)
       from public.memberships m where m.user_id = new.id;
  end if;
  return null;
end $$;
