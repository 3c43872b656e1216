-- Notes that the person of an account has used a site: as a guest, or with rights there, because what the
-- person has written stays when the rights end. T11. p_organization_id: the organization whose provider the
-- sign-in came from; null: none. A sign-in by the provider of another organization has the claims of nobody
-- (public.claims_of), and is not noted. Called by public.admit, public.enter_as_guest, public.note_joined
-- and src/identity/users.
create or replace function public.note_guest(p_site_id bigint, p_user_id bigint, p_organization_id bigint)
returns void
language sql as $$
  insert into public.site_guests (user_id, site_id)
  select u.id, s.id
    from public.users u join public.sites s on s.id = p_site_id
   where u.id = p_user_id and coalesce(p_organization_id, s.organization_id) = s.organization_id
  on conflict do nothing
$$;
