-- Accepts an invitation, once and whole: of any number that try at the same time, one does, and the others fail with
-- TS410, as they do for one that is older than p_days (null: any age), or whose maker may no longer invite. TS404 for none.
-- The account of the address gets the password and the names, and is active from then on; its sign-ins, API keys and the
-- social accounts of other organizations end. I6.
--
-- Fails with TS403 for a superuser's account; and where p_mode asks for a proof that the account is the caller's: 'guarded'
-- where it is tied to another organization, a provider opens it, or its e-mail was verified; 'verify' also where it has been
-- used at all; 'specification' never. p_code, the code of the newest letter, is a proof; so is p_caller, who then keeps the
-- password, unless a provider's word is all that p_caller comes with.
create or replace function public.accept_invitation(
  p_uuid uuid, p_password text, p_first_name text, p_last_name text, p_code text, p_mode text, p_days integer, p_caller public.caller,
  out accepted_by bigint, out account text
) language plpgsql as $$
declare
  invitation public.invitations;
  person public.users;
  proven boolean;
begin
  update public.invitations i set accepted_at = clock_timestamp() where i.uuid = p_uuid and i.accepted_at is null returning * into invitation;
  if not found then
    if exists (select from public.invitations i where i.uuid = p_uuid) then
      raise sqlstate 'TS410' using message = 'accepted already';
    end if;
    raise sqlstate 'TS404' using message = 'no such invitation';
  end if;
  if invitation.created < clock_timestamp() - make_interval(days => p_days) then
    raise sqlstate 'TS410' using message = 'expired';
  elsif not public.still_invites(invitation) then
    raise sqlstate 'TS410' using message = 'whoever made it may no longer invite';
  end if;
  proven := coalesce(invitation.code_hash = p_code, false);

  person := public.account_at(invitation.invitee_identifier);
  select u.* into person from public.users u where u.id = person.id for no key update;
  account := case when public.is_used(person) then 'existing' else 'new' end;
  if person.is_superuser then
    raise sqlstate 'TS403' using message = 'no invitation changes the account of a superuser';
  end if;
  if not proven and public.needs_proof(person, invitation.organization_id, p_mode) then
    if p_caller.id is distinct from person.id or p_caller.organization_id is not null then
      raise sqlstate 'TS403' using message = 'nobody has shown that the account is theirs';
    end if;
    begin
      perform public.find_caller(p_caller);
    exception when sqlstate 'TS401' then
      raise sqlstate 'TS403' using message = 'the caller may not sign in';
    end;
    account := 'own';
  end if;

  if account <> 'own' then
    update public.users u
       set password_hash = p_password, password_is_own = proven, first_name = p_first_name, last_name = p_last_name, is_active = true,
           email_verified_at = case when proven then now() else u.email_verified_at end,
           date_joined = case when account = 'new' then now() else u.date_joined end
     where u.id = person.id;
    delete from public.social_accounts a using public.sites s
     where a.user_id = person.id and s.id = a.site_id and s.organization_id <> invitation.organization_id;
  end if;
  if account = 'existing' then
    perform public.end_sign_ins(person.id);
    update public.invitations i set notice_to = person.email, notice = 'wanted' where i.id = invitation.id;
  end if;
  insert into public.memberships (organization_id, user_id, role) values (invitation.organization_id, person.id, 'member') on conflict do nothing;
  insert into public.groups (organization_id, name)
  select invitation.organization_id, g.name from jsonb_array_elements_text(invitation.config -> 'group') g (name) on conflict do nothing;
  insert into public.group_members (group_id, user_id)
  select g.id, person.id from public.groups g
   where g.organization_id = invitation.organization_id and invitation.config -> 'group' ? g.name on conflict do nothing;
  -- Sites that the organization does not have are passed over.
  insert into public.site_permissions as p (site_id, user_id, permissions)
  select s.id, person.id, array(select distinct x.name from jsonb_array_elements_text(c.site -> 'permissions') x (name) order by x.name)
    from jsonb_array_elements(invitation.config -> 'site') c (site)
    join public.sites s on s.slug = c.site ->> 'slug' and s.organization_id = invitation.organization_id
  on conflict (site_id, user_id) do update
    set permissions = array(select distinct x.name from unnest(p.permissions || excluded.permissions) x (name) order by x.name);
  update public.invitations i set invitee = person.id where i.id = invitation.id;
  accepted_by := person.id;
end $$;
