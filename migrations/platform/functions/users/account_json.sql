-- What clients see of an account.
create or replace function public.account_json(p_account public.users) returns json stable
language sql as $$
  select json_build_object(
    'id', p_account.id, 'uuid', p_account.uuid, 'username', p_account.username, 'email', p_account.email,
    'first_name', p_account.first_name, 'last_name', p_account.last_name,
    'full_name', trim(p_account.first_name || ' ' || p_account.last_name),
    'is_active', p_account.is_active, 'is_superuser', p_account.is_superuser,
    'date_joined', replace(to_json(p_account.date_joined at time zone 'UTC') #>> '{}' || 'Z', '+00:00', ''),
    'last_login', replace(to_json(p_account.last_login at time zone 'UTC') #>> '{}' || 'Z', '+00:00', ''))
$$;
