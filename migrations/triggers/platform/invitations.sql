-- Triggers that keep pending invitations in step with the accounts and memberships of their addresses. I8.
create or replace trigger users_adopt_invitations after insert on public.users
  for each row execute function public.adopt_invitations();
create or replace trigger users_follow_account after update on public.users
  for each row when ((old.email, old.is_active, old.email_verified_at)
                     is distinct from (new.email, new.is_active, new.email_verified_at))
  execute function public.follow_account();
create or replace trigger users_follow_removal before delete on public.users
  for each row execute function public.follow_removal();
create or replace trigger memberships_follow_membership after insert on public.memberships
  for each row execute function public.follow_membership();
create or replace trigger memberships_follow_removal after delete on public.memberships
  for each row execute function public.follow_removal();
