-- Deletes the unused account that invitations have made for an address, so that a person can make an account
-- with it. The invitations remain. Called by public.sign_in_socially, src/users, public.change_email,
-- public.begin_sign_up, public.finish_sign_up, public.change_scim_account and public.create_scim_user.
create or replace function public.release_address(p_email text) returns void
language plpgsql as $$
begin
  perform public.take_address(p_email);
  delete from public.users u
   where lower(u.email) = lower(p_email) and public.is_placeholder(u)
     and exists (select from public.invitations i where i.invitee = u.id);
end $$;
