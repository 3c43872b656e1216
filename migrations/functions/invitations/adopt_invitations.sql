-- Attaches the pending invitations to an address to the account that was just made for it. A trigger of
-- users.
create or replace function public.adopt_invitations() returns trigger
language plpgsql as $$
begin
  update public.invitations i set invitee = new.id
   where i.invitee is null and lower(i.invitee_identifier) = lower(new.email) and public.is_pending(i);
  return null;
end $$;
