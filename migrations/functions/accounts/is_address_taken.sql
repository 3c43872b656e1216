-- Returns whether an account other than p_user_id has an e-mail address, or has it as its user name. An
-- account that was made for invitations only, and that nobody has used, does not count: it is removed when
-- somebody else takes the address. p_is_proved: whoever takes it proves the address; then no account counts
-- that nobody has used (public.is_free). Called by src/identity/accounts and the functions of this folder.
create or replace function public.is_address_taken(
  p_email text, p_user_id bigint, p_is_proved boolean default false
) returns boolean stable
language sql as $$
  select exists (select from public.users u
                  where (lower(u.email) = lower(p_email) or lower(u.username) = lower(p_email))
                    and u.id <> p_user_id
                    and not public.is_placeholder(u) and not (p_is_proved and public.is_free(u)))
$$;
