-- Notes that the person of an account belongs to a site from now on, because of a sign-up there or by joining
-- it (site_guests.joined_at). X2. p_organization_id as for public.note_guest. Called by public.begin_sign_up,
-- public.finish_sign_up and public.join_site.
create or replace function public.note_joined(p_site_id bigint, p_user_id bigint, p_organization_id bigint)
returns void
language sql as $$
  select public.note_guest(p_site_id, p_user_id, p_organization_id);
  update public.site_guests g set joined_at = now()
   where g.user_id = p_user_id and g.site_id = p_site_id and g.joined_at is null
$$;
