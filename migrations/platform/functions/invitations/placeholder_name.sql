-- The user name of an account that is made for an invitation: the address, unless somebody has that name, or it is none;
-- then a random one, which says nothing of any invitation.
create or replace function public.placeholder_name(p_email text) returns text volatile
language sql as $$
  select case when p_email ~ '^[A-Za-z0-9_.@+-]{1,150}$' and not exists (select from public.users u where u.username = p_email)
              then p_email else 'invited-' || gen_random_uuid() end
$$;
