-- The account of an address, which is not deleted until the end of the transaction. Where there is none, one is made that
-- is inactive, and that nobody can sign in to. The address is its name, unless somebody has that, or it is none: then a
-- random one, which says nothing of any invitation.
create or replace function public.account_at(p_email text) returns public.users
language plpgsql as $$
declare
  account public.users;
begin
  perform public.take_address(p_email);
  loop
    select u.* into account from public.users u where lower(u.email) = lower(p_email) for key share;
    exit when found;
    insert into public.users (username, email, is_active)
    select case when p_email ~ '^[A-Za-z0-9_.@+-]{1,150}$' and not exists (select from public.users u where u.username = p_email)
                then p_email else 'invited-' || gen_random_uuid() end,
           p_email, false
    on conflict do nothing;
  end loop;
  return account;
end $$;
