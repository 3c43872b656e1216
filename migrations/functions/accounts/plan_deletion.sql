-- Plans the deletion of an account in seven days, ends its sign-ins and API keys, and queues the e-mail
-- p_notice to its owner. Returns the time of the deletion; null for the only owner of an organization. Called
-- by src/identity/accounts.
create or replace function public.plan_deletion(p_user_id bigint, p_notice uuid) returns timestamptz
language plpgsql as $$
declare
  account public.users;
begin
  perform public.lock_owned(p_user_id);
  if public.is_only_owner(p_user_id) then
    return null;
  end if;
  update public.users u set deletes_at = now() + interval '7 days', generation = u.generation + 1
   where u.id = p_user_id
  returning u.* into account;
  delete from public.account_emails e where e.user_id = p_user_id and e.token_hash is not null;
  insert into public.account_emails (id, kind, recipient, user_id)
  values (p_notice, 'deletion-planned', account.email, p_user_id);
  return account.deletes_at;
end $$;
