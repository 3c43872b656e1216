-- Accepts an invitation, once and whole: of any number that try at the same time, one does, and the others fail with
-- TS410, as they do for one that is older than p_days (null: any age), or whose maker may no longer invite. TS404 for none. The account of the address gets
-- the password and the names, and is active from then on; sign-ins from before end, and API keys go. What it may not do to the account of
-- somebody else fails with TS403: to that of a superuser anything; and where p_verify, to any that has been used, unless
-- p_code is that of the letter, or p_caller (who signed in at p_issued_at) is its owner, whose password then stays. I6.
create or replace function public.accept_invitation(
  p_uuid uuid, p_password text, p_first_name text, p_last_name text, p_code text, p_verify boolean, p_days integer, p_caller bigint, p_issued_at timestamptz,
  out accepted_by bigint, out account text
) language plpgsql as $$
declare
  invitation public.invitations;
  person public.users;
  proven boolean;
  own boolean;
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
    raise sqlstate 'TS410' using message = 'who has made it may no longer invite';
  end if;
  proven := coalesce(invitation.code_hash = p_code, false);

  person := public.account_at(invitation.invitee_identifier);
  select u.* into person from public.users u where u.id = person.id for no key update;
  account := case when person.is_active or person.password_hash is not null or person.last_login is not null then 'existing' else 'new' end;
  if account = 'existing' then
    if person.is_superuser then
      raise sqlstate 'TS403' using message = 'no invitation changes the account of a superuser';
    end if;
    own := p_caller = person.id and person.is_active and person.tokens_valid_after <= p_issued_at;
    if p_verify and not proven then
      if own is not true then
        raise sqlstate 'TS403' using message = 'nobody has shown that the account is theirs';
      end if;
      account := 'own';
    end if;
  end if;

  if account <> 'own' then
    update public.users u
       set password_hash = p_password, first_name = p_first_name, last_name = p_last_name, is_active = true,
           email_verified_at = case when proven then coalesce(u.email_verified_at, now()) else u.email_verified_at end,
           date_joined = case when account = 'new' then now() else u.date_joined end,
           tokens_valid_after = case when account = 'new' then u.tokens_valid_after else clock_timestamp() end
     where u.id = person.id;
  end if;
  if account = 'existing' then
    delete from public.api_keys k where k.user_id = person.id;
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
