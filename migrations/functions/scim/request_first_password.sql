-- Queues the e-mail with the link by which the owner of an account that a directory has made sets the first
-- password. Returns the id of the e-mail; null if the account was already used, or cannot sign in. Called by
-- public.create_scim_user and public.change_scim_user.
create or replace function public.request_first_password(p_account public.users, p_organization_id bigint)
returns uuid
language sql as $$
  insert into public.account_emails (id, kind, recipient, user_id, organization_id)
  select gen_random_uuid(), 'account-created', p_account.email, p_account.id, p_organization_id
   where p_account.is_active and p_account.password_hash is null and p_account.last_login is null
  returning id
$$;
