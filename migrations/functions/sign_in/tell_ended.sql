-- Queues the e-mail that tells the owner of an account what the first attachment of a provider has ended, if
-- it has ended anything. Called by public.attach_social_account and public.confirm_social_account.
create or replace function public.tell_ended(p_user_id bigint, p_ended text[]) returns void
language sql as $$
  insert into public.account_emails (id, kind, recipient, user_id)
  select gen_random_uuid(), 'credentials-ended', u.email, u.id
    from public.users u where u.id = p_user_id and p_ended <> '{}'
$$;
