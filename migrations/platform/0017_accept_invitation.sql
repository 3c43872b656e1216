-- One thing at a time is done about an address: no account is deleted for one invitation while another is made for it.
create function public.take_address(p_email text) returns void
language sql as $$
  select pg_advisory_xact_lock(hashtextextended('address ' || lower(p_email), 0))
$$;
--> statement-breakpoint

-- The account of an address, which is not deleted until the end of the transaction. Where there is none, one is made that
-- is inactive, and that nobody can sign in to. The address is its name, unless somebody has that, or it is none: then a
-- random one, which says nothing of any invitation.
create function public.account_at(p_email text) returns public.users
language plpgsql as $$
declare
  account public.users;
begin
  perform public.take_address(p_email);
  loop
    select u.* into account from public.users u where lower(u.email) = lower(p_email) for key share;
    exit when found;
    insert into public.users (username, email, is_active)
    select case when p_email ~ '^[A-Za-z0-9_.@+-]{1,150}$' and not exists (select from public.users u where u.username = p_email)
                then p_email else 'invited-' || gen_random_uuid() end,
           p_email, false
    on conflict do nothing;
  end loop;
  return account;
end $$;
--> statement-breakpoint

-- Whether an account was made for invitations alone, and nobody has used it.
create function public.is_placeholder(p_account public.users) returns boolean stable
language sql as $$
  select not p_account.is_active and p_account.password_hash is null and p_account.last_login is null
     and not exists (select from public.memberships m where m.user_id = p_account.id)
     and not exists (select from public.social_accounts s where s.user_id = p_account.id)
$$;
--> statement-breakpoint

-- Lets go of an address that nobody uses yet, for whoever makes an account with it. Invitations to it stand.
create function public.release_address(p_email text) returns void
language plpgsql as $$
begin
  perform public.take_address(p_email);
  delete from public.users u
   where lower(u.email) = lower(p_email) and public.is_placeholder(u) and exists (select from public.invitations i where i.invitee = u.id);
end $$;
--> statement-breakpoint

create function public.adopt_invitations() returns trigger
language plpgsql as $$
begin
  update public.invitations i set invitee = new.id
   where i.invitee is null and i.accepted_at is null and lower(i.invitee_identifier) = lower(new.email);
  return null;
end $$;
--> statement-breakpoint
create trigger users_adopt_invitations after insert on public.users for each row execute function public.adopt_invitations();
--> statement-breakpoint

-- Invites an address to an organization. False for the address of a member. I3.
create function public.invite(p_uuid uuid, p_organization text, p_caller bigint, p_email text, p_config jsonb) returns boolean
language plpgsql as $$
declare
  organization bigint := (select o.id from public.organizations o where o.slug = p_organization);
  account public.users := public.account_at(p_email);
begin
  if exists (select from public.memberships m where m.organization_id = organization and m.user_id = account.id) then
    return false;
  end if;
  insert into public.invitations (uuid, organization_id, invitee_identifier, invited_by, invitee, config)
  values (p_uuid, organization, p_email, p_caller, account.id, p_config);
  return true;
end $$;
--> statement-breakpoint

-- Whether who has made an invitation may still invite: managers of its organization, and superusers.
create function public.still_invites(p_invitation public.invitations) returns boolean stable
language sql as $$
  select exists (
    select from public.users b
     where b.id = p_invitation.invited_by and b.is_active
       and (b.is_superuser or exists (select from public.memberships m
              where m.organization_id = p_invitation.organization_id and m.user_id = b.id and m.role in ('owner', 'admin'))))
$$;
--> statement-breakpoint

-- Accepts an invitation, once and whole: of any number that try at the same time, one does, and the others fail with
-- TS410, as they do for one that is older than p_days (null: any age), or whose maker may no longer invite. TS404 for none. The account of the address gets
-- the password and the names, and is active from then on; sign-ins from before end, and API keys go. What it may not do to the account of
-- somebody else fails with TS403: to that of a superuser anything; and where p_verify, to any that has been used, unless
-- p_code is that of the letter, or p_caller (who signed in at p_issued_at) is its owner, whose password then stays. I6.
create function public.accept_invitation(
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
--> statement-breakpoint

-- Cancels an invitation that nobody has accepted, and with it the account that was made for it alone.
create function public.cancel_invitation(p_uuid uuid, p_organization text) returns void
language plpgsql as $$
declare
  invitation public.invitations;
begin
  select i.* into invitation from public.invitations i join public.organizations o on o.id = i.organization_id
   where i.uuid = p_uuid and o.slug = p_organization for update of i;
  if not found then
    raise sqlstate 'TS404' using message = 'no such invitation';
  elsif invitation.accepted_at is not null then
    raise sqlstate 'TS410' using message = 'accepted already';
  end if;
  perform public.take_address(invitation.invitee_identifier);
  delete from public.invitations i where i.id = invitation.id;
  delete from public.users u
   where u.id = invitation.invitee and public.is_placeholder(u) and not exists (select from public.invitations i where i.invitee = u.id);
end $$;
--> statement-breakpoint
revoke execute on function public.take_address, public.account_at, public.is_placeholder, public.release_address, public.adopt_invitations,
  public.invite, public.still_invites, public.accept_invitation, public.cancel_invitation from public;
