-- Lets go of an address that nobody uses yet, for whoever makes an account with it. Invitations to it stand.
create or replace function public.release_address(p_email text) returns void
language plpgsql as $$
begin
  perform public.take_address(p_email);
  delete from public.users u
   where lower(u.email) = lower(p_email) and public.is_placeholder(u) and exists (select from public.invitations i where i.invitee = u.id);
end $$;
