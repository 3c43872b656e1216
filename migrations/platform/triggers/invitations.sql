-- A new account adopts the pending invitations to its e-mail address.
create or replace trigger users_adopt_invitations after insert on public.users
  for each row execute function public.adopt_invitations();
