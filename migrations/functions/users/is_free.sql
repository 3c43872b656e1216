-- Returns whether nobody has ever used an account, so that whoever proves its address can sign up with it: no
-- sign-in, no proof of the address, no credential and no tie that the person has made. An account that an
-- organization has switched off, or that stands in a directory, is not free, nor is a superuser's or an
-- owner's. T11. Called by public.is_address_taken and public.release_address.
create or replace function public.is_free(p_account public.users) returns boolean stable
language sql as $$
  select p_account.is_active and not p_account.is_superuser and p_account.last_login is null
     and p_account.email_verified_at is null
     and not exists (select from public.social_accounts a where a.user_id = p_account.id)
     and not exists (select from public.refresh_families f where f.user_id = p_account.id)
     and not exists (select from public.api_keys k where k.user_id = p_account.id)
     and not exists (select from public.passkeys k where k.user_id = p_account.id)
     and not exists (select from public.site_guests g where g.user_id = p_account.id)
     and not exists (select from public.scim_users x where x.user_id = p_account.id)
     and not exists (select from public.memberships m where m.user_id = p_account.id and m.role = 'owner')
$$;
