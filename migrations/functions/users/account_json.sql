-- Returns an account as clients and functions see it. Called by public.announce_account and
-- public.change_scim_account.
create or replace function public.account_json(p_account public.users) returns json stable
language sql as $$
  select json_build_object(
    'id', p_account.id, 'uuid', p_account.uuid, 'username', p_account.username,
    'email', public.shown_address(p_account.email),
    'first_name', p_account.first_name, 'last_name', p_account.last_name,
    'full_name', trim(p_account.first_name || ' ' || p_account.last_name),
    'is_active', p_account.is_active, 'is_superuser', p_account.is_superuser,
    'date_joined', public.iso_timestamp(p_account.date_joined),
    'last_login', public.iso_timestamp(p_account.last_login))
$$;
