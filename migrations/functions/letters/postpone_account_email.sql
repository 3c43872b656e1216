-- Lets an e-mail about an account wait: the sweep queues it again after ten minutes and more. Called by
-- public.prepare_account_email.
create or replace function public.postpone_account_email(p_id uuid) returns void
language sql as $$
  update public.account_emails e
     set wanted_at = now() + interval '10 minutes', expires_at = now() + interval '1 day'
   where e.id = p_id
$$;
