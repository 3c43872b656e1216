-- Accepts an invitation, once and completely: of several concurrent attempts one succeeds, and the others get
-- TS410. The account with the address gets the password and the names, and becomes active; its sign-ins, its
-- API keys and its social accounts of other organizations end. If the caller has proved that the account is
-- theirs, it keeps all of them. An account that was switched off leaves the organizations that it was a
-- member of (public.leave_others). Returns 'new', 'existing' or 'own' (public.prove_account). I6.
-- p_max_age_days: older invitations are refused; null: none.
--
-- Refuses: TS403 the account is a superuser's, or needs a proof (public.prove_account); TS404 and TS410 as
-- public.claim_invitation does; TS444 the code is wrong. Called by src/identity/invitations.
create or replace function public.accept_invitation(
  p_uuid uuid, p_person public.accepted_person, p_mode text, p_max_age_days integer, p_caller public.caller,
  out account text
) language plpgsql as $$
declare
  invitation public.invitations;
  has_code boolean;
  invited public.users;
begin
  invitation := public.claim_invitation(p_uuid, p_max_age_days);
  has_code := coalesce(invitation.code_hash = p_person.code_hash, false);
  invited := public.account_at(invitation.invitee_identifier);
  select u.* into invited from public.users u where u.id = invited.id for no key update;
  if invited.is_superuser then
    raise sqlstate 'TS403' using message = 'no invitation changes the account of a superuser';
  end if;
  if has_code then
    account := case when public.is_used(invited) then 'existing' else 'new' end;
  else
    account := public.prove_account(invited, invitation.organization_id, p_mode, p_caller);
    if account <> 'own' and p_person.code_hash is not null then
      raise sqlstate 'TS444' using message = 'the code is not that of the newest e-mail';
    end if;
  end if;

  if account <> 'own' then
    if not invited.is_active and public.is_used(invited) then
      perform public.leave_others(invited.id, invitation.organization_id);
    end if;
    if has_code then
      perform public.drop_foreign_factors(invited.id);
    end if;
    update public.users u
       set password_hash = p_person.password_hash, password_is_own = has_code, is_active = true,
           deletes_at = null,
           first_name = p_person.first_name, last_name = p_person.last_name,
           email_verified_at = case when has_code then now() else u.email_verified_at end,
           date_joined = case when account = 'new' then now() else u.date_joined end
     where u.id = invited.id;
    delete from public.social_accounts a using public.sites s
     where a.user_id = invited.id and s.id = a.site_id and s.organization_id <> invitation.organization_id;
  end if;
  if account = 'existing' then
    perform public.end_sign_ins(invited.id);
    update public.invitations i set notice_to = invited.email, notice = 'wanted' where i.id = invitation.id;
  end if;
  perform public.grant_invited(invitation, invited.id);
  update public.invitations i set invitee = invited.id where i.id = invitation.id;
end $$;
