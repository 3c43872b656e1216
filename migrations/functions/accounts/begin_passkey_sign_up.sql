-- Stores a request to sign up with a passkey at the site that the request names (p_host, p_slug), and queues
-- the e-mail p_id with the link. p_person has no password; p_handle is the UUID of the account for which the
-- passkey was created. Like public.begin_sign_up, it does not search for an account. It never creates one.
-- Called by src/identity/accounts.
create or replace function public.begin_passkey_sign_up(
  p_host text, p_slug text, p_id uuid, p_person public.new_person, p_handle uuid, p_passkey public.new_passkey
) returns void
language plpgsql as $$
begin
  insert into public.account_emails (id, kind, recipient, site_id)
  select p_id, 'sign-up', p_person.email, s.id
    from public.sites s where s.slug = public.site_at(p_host, p_slug);
  insert into public.sign_ups (id, passkey, handle, first_name, last_name)
  values (p_id, to_jsonb(p_passkey), p_handle, p_person.first_name, p_person.last_name);
end $$;
