-- Returns the account with an e-mail address, and keeps it from being deleted until the end of the
-- transaction. If there is none, creates an inactive account that nobody can sign in to; its name is
-- p_username unless another account has that name. Called by public.invite and public.accept_invitation.
create or replace function public.account_at(p_email text, p_username text default null) returns public.users
language plpgsql as $$
declare
  account public.users;
begin
  perform public.take_address(p_email);
  loop
    select u.* into account from public.users u where lower(u.email) = lower(p_email) for key share;
    exit when found;
    insert into public.users (username, email, is_active)
    select case when public.is_name_taken(p_username)
                then public.placeholder_name(p_email)
                else coalesce(p_username, public.placeholder_name(p_email)) end,
           p_email, false
    on conflict do nothing;
  end loop;
  return account;
end $$;
