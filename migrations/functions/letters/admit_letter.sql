-- Decides whether an e-mail is sent, and counts it. p_reference names the e-mail: a second attempt to send it
-- does not count again, but a reader who has stopped them gets none. The kinds are counted apart, and by
-- mailbox over everybody who causes one:
--   caused    an organization has caused it (p_organization_id), and the reader did not ask for it
--   function  a function of an organization has written it. Counted by mailbox and organization, so that
--             nobody uses up the invitations of others
--   asked     somebody has asked for it with the address, as the owner of an account would
--   notice    a warning about a change of an account
-- The result:
--   admitted  send it
--   stopped   the reader wants no e-mail of the organization
--   crowded   the mailbox got enough of this kind within the last hour or day
--   spent     the organization has sent p_budget e-mails within the last day
-- The caller must not tell anybody which. Called by public.admit_account_email,
-- public.admit_invitation_email, public.prepare_mail and src/identity/login.
create or replace function public.admit_letter(
  p_reference text, p_kind text, p_address text, p_organization_id bigint, p_budget integer
) returns text
language plpgsql as $$
declare
  to_mailbox constant text := public.mailbox_of(p_address);
  is_caused constant boolean := p_kind in ('caused', 'function');
  hourly constant integer := case when is_caused then 5 else 10 end;
  daily constant integer := case when is_caused then 10 when p_kind = 'asked' then 30 else 100 end;
begin
  -- The locks make e-mails to one mailbox, and those of one organization, count one after the other.
  perform from public.organizations o where o.id = p_organization_id for no key update;
  perform public.take_address(to_mailbox);
  if is_caused and exists (
    select from public.letter_stops x
     where x.organization_id = p_organization_id and x.mailbox = to_mailbox) then
    return 'stopped';
  elsif exists (select from public.letters l where l.reference = p_reference) then
    return 'admitted';
  elsif (select count(*) >= daily
             or count(*) filter (where l.admitted_at > now() - interval '1 hour') >= hourly
           from public.letters l
          where l.mailbox = to_mailbox and l.kind = p_kind
            and (p_kind <> 'function' or l.organization_id = p_organization_id)
            and l.admitted_at > now() - interval '1 day') then
    return 'crowded';
  elsif is_caused and (
    select count(*) >= p_budget from public.letters l
     where l.organization_id = p_organization_id and l.admitted_at > now() - interval '1 day') then
    return 'spent';
  end if;
  insert into public.letters (reference, kind, mailbox, organization_id)
  values (p_reference, p_kind, to_mailbox, p_organization_id);
  return 'admitted';
end $$;
