-- Returns a user name for an account that is made for an invitation: the address, or a random name if the
-- address is not a valid user name or another account has it. A random name reveals nothing about the
-- invitation. Called by public.account_at, public.invite, src/identity/invitations and
-- public.create_scim_user.
create or replace function public.placeholder_name(p_email text) returns text volatile
language sql as $$
  select case when p_email ~ '^[A-Za-z0-9_.@+-]{1,150}$'
               and not public.is_name_taken(p_email)
              then p_email else 'invited-' || gen_random_uuid() end
$$;
