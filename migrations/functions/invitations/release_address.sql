-- Deletes the unused account that invitations have made for an address, so that a person can make an account
-- with it. The invitations remain. p_is_proved: the person has proved the address; then any account that
-- nobody has used is deleted (public.is_free), and the new one inherits nothing of it. Called by
-- public.sign_in_socially, src/identity/users, public.change_email, public.begin_sign_up,
-- public.finish_sign_up, public.change_scim_account and public.create_scim_user.
create or replace function public.release_address(p_email text, p_is_proved boolean default false)
returns void
language plpgsql as $$
declare
  free public.users;
begin
  perform public.take_address(p_email);
  select u.* into free from public.users u
   where p_is_proved and lower(u.email) = lower(p_email) and public.is_free(u) for update;
  if found then
    perform public.announce_account('POST_USER_DELETE', null, null, null, free);
    delete from public.users u where u.id = free.id;
  end if;
  delete from public.users u
   where lower(u.email) = lower(p_email) and public.is_placeholder(u)
     and exists (select from public.invitations i where i.invitee = u.id);
end $$;
