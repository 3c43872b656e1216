-- Decides whether an e-mail about an account is sent: public.admit_letter, with the kind that belongs to it.
-- p_budget: how many e-mails an organization may cause in a day. Called by public.prepare_account_email and
-- public.prepare_sign_up.
create or replace function public.admit_account_email(p_email public.account_emails, p_budget integer)
returns text
language sql as $$
  select public.admit_letter(
    'account ' || p_email.id,
    case when p_email.kind = 'account-created' then 'caused'
         when p_email.kind in ('reset-password', 'verify-email', 'change-email', 'sign-up') then 'asked'
         else 'notice' end,
    p_email.recipient, p_email.organization_id, p_budget)
$$;
