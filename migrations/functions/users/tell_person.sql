-- Queues the notices about a password or an e-mail address that somebody else has set: to the address that
-- the account had before, and about an address also to the new one. Somebody else is a caller with another
-- account, or an organization's directory. The functions with which people change their own account queue
-- notices themselves. T10. A trigger of users.
create or replace function public.tell_person() returns trigger
language plpgsql as $$
begin
  if nullif(current_setting('tessera.actor', true), '') is null
     and coalesce(nullif(current_setting('tessera.caller', true), '')::bigint, new.id) = new.id then
    return null;
  end if;
  insert into public.account_emails (id, kind, recipient, user_id)
  select gen_random_uuid(), n.kind, n.recipient, new.id
    from (values
      ('password-changed', old.email,
       new.password_hash is distinct from old.password_hash and new.password_hash is not null
       and not new.password_is_own and new.generation <> old.generation),
      ('email-changed', old.email, lower(new.email) <> lower(old.email)),
      ('email-changed', new.email, lower(new.email) <> lower(old.email))) n (kind, recipient, is_due)
   where n.is_due;
  return null;
end $$;
