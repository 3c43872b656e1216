-- Returns whether the recipient of an e-mail got another one of its kind within the last minute, or will get
-- one that was requested earlier, so that nobody can flood a mailbox by asking for links. Sign-ups count by
-- site: a request at one site must not prevent the e-mail of another one. Called by
-- public.prepare_account_email and public.prepare_sign_up.
create or replace function public.was_sent_just_now(p_email public.account_emails) returns boolean stable
language sql as $$
  select exists (select from public.account_emails e
                  where lower(e.recipient) = lower(p_email.recipient) and e.kind = p_email.kind
                    and e.id <> p_email.id
                    and (p_email.kind <> 'sign-up' or e.site_id = p_email.site_id)
                    and (e.sent_at > now() - interval '1 minute'
                         or e.sent_at is null and e.wanted_at > now() - interval '1 minute'
                            and (e.wanted_at, e.id) < (p_email.wanted_at, p_email.id)))
$$;
