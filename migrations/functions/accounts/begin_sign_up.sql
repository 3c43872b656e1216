-- Stores a request to sign up at the site that the request names (p_host, p_slug), and queues the e-mail p_id
-- with the link. It does not search for an account, so that the work is the same whether an account exists or
-- not. Only if the site requires no verified address, it creates the account at once and returns it: p_is_new
-- says that the functions that run before a sign-up have allowed it. Nothing in that account counts as
-- proved. Called by src/identity/accounts.
create or replace function public.begin_sign_up(
  p_host text, p_slug text, p_id uuid, p_person public.new_person, p_is_new boolean
) returns public.users
language plpgsql as $$
declare
  site public.sites;
  account public.users;
begin
  select s.* into site from public.sites s where s.slug = public.site_at(p_host, p_slug);
  insert into public.account_emails (id, kind, recipient, site_id)
  values (p_id, 'sign-up', p_person.email, site.id);
  insert into public.sign_ups (id, password_hash, first_name, last_name)
  values (p_id, p_person.password_hash, p_person.first_name, p_person.last_name);
  if not p_is_new or site.require_verified_email or site.sign_up <> 'open'
     or not public.takes_sign_up(site, p_person.email) then
    return null;
  end if;
  perform public.take_address(p_person.email);
  if public.is_address_taken(p_person.email, 0) then
    return null;
  end if;
  perform public.release_address(p_person.email);
  insert into public.users (username, email, password_hash, first_name, last_name)
  values (p_person.username, p_person.email, p_person.password_hash, p_person.first_name, p_person.last_name)
  returning * into account;
  perform public.note_joined(site.id, account.id, null);
  update public.account_emails e set user_id = account.id where e.id = p_id;
  return account;
end $$;
