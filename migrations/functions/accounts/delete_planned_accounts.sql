-- Deletes accounts whose planned deletion is due, p_most at a time, with their invitations and their names in
-- the audit. Announces each deletion, and queues a notice to the last address of the account. Returns the ids
-- of the notices. If an account has become the only owner of an organization, its deletion is tried again the
-- next day. Called by src/identity/accounts.
create or replace function public.delete_planned_accounts(p_most integer) returns setof uuid
language plpgsql as $$
declare
  planned bigint;
  account public.users;
  deleted public.users[] := '{}';
  notice uuid;
begin
  for planned in select u.id from public.users u where u.deletes_at < now() order by u.deletes_at limit p_most
  loop
    perform public.lock_owned(planned);
    select u.* into account from public.users u where u.id = planned and u.deletes_at < now() for update;
    continue when account.id is null;
    if public.is_only_owner(planned) then
      update public.users u set deletes_at = now() + interval '1 day' where u.id = planned;
      continue;
    end if;
    perform public.announce_account('POST_USER_DELETE', null, null, null, account);
    delete from public.invitations i where i.invitee = planned;
    delete from public.users u where u.id = planned;
    deleted := deleted || account;
    insert into public.account_emails (id, kind, recipient)
    values (gen_random_uuid(), 'account-deleted', account.email)
    returning id into notice;
    return next notice;
  end loop;
  if cardinality(deleted) > 0 then
    perform public.forget_people(deleted);
  end if;
end $$;
