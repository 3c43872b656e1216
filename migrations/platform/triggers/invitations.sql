-- The trigger that attaches pending invitations to a new account (public.adopt_invitations).
create or replace trigger users_adopt_invitations after insert on public.users
  for each row execute function public.adopt_invitations();
