-- Returns whether a person with an e-mail address may sign up at a site with a password. The site must
-- accept the address. It must also accept everybody, or the person must have a pending invitation of its
-- organization. Called by public.begin_sign_up, public.finish_sign_up, public.join_site,
-- public.prepare_sign_up and src/identity/accounts.
create or replace function public.takes_sign_up(p_site public.sites, p_email text) returns boolean stable
language sql as $$
  select p_site.is_active and public.takes_address(p_site, p_email)
     and (p_site.sign_up = 'open'
          or p_site.sign_up = 'invited'
         and exists (select from public.invitations i
                      where i.organization_id = p_site.organization_id
                        and lower(i.invitee_identifier) = lower(p_email)
                        and public.invitation_state(i) = 'pending'))
$$;
