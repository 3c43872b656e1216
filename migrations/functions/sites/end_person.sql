-- Ends that an account belongs to a site by a sign-up, by joining it, by roles or through one of its
-- providers; p_blocks says whether the site keeps the person out from now on, or not any more. What the
-- person has written stays, and so does the tie of a guest. Returns the account's id; null if it is no
-- person of the site. Refuses (TS403) members and people with permissions, who are managed as such, and
-- whoever ranks above the caller or has a role that the caller may not take away (public.gives_roles).
-- Called by src/identity/organizations.
create or replace function public.end_person(
  p_site_id bigint, p_user_id bigint, p_caller_id bigint, p_blocks boolean
) returns bigint
language plpgsql as $$
declare
  person record;
  given text[];
begin
  -- Nobody makes the account a member meanwhile, or gives it permissions.
  perform from public.users u where u.id = p_user_id for update;
  select p.roles into given from public.site_permissions p
   where p.user_id = p_user_id and p.site_id = p_site_id for update;
  select x.* into person from public.people_of(p_site_id) x where x.user_id = p_user_id;
  if person.user_id is null then
    return null;
  end if;
  if person.kind in ('member', 'permission') or public.outranks(p_user_id, p_caller_id,
       (select s.organization_id from public.sites s where s.id = p_site_id)) then
    raise sqlstate 'TS403' using message = 'a person of another kind, or of a higher rank';
  end if;
  if not public.gives_roles(p_site_id, p_caller_id, coalesce(given, '{}'), '{}') then
    raise sqlstate 'TS403' using message = 'a role that the caller does not have';
  end if;
  delete from public.site_permissions p where p.user_id = p_user_id and p.site_id = p_site_id;
  delete from public.social_accounts a where a.user_id = p_user_id and a.site_id = p_site_id;
  insert into public.site_guests as g (user_id, site_id, blocked_at)
  values (p_user_id, p_site_id, case when p_blocks then now() end)
  on conflict (user_id, site_id) do update
    set joined_at = null, blocked_at = case when p_blocks then coalesce(g.blocked_at, now()) end;
  return person.user_id;
end $$;
