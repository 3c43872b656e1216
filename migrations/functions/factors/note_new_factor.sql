-- Ends the sign-ins of an account that has a new second factor or passkey, because they were made without it.
-- API keys stay valid. p_hashes: the recovery codes that the account gets with its first factor; null: it
-- already has some. Queues the notice p_notice to the owner. Returns the new generation of the account.
-- Called by public.confirm_totp and public.add_passkey.
create or replace function public.note_new_factor(p_user_id bigint, p_hashes text[], p_notice uuid)
returns integer
language plpgsql as $$
declare
  account public.users;
begin
  if p_hashes is not null then
    delete from public.recovery_codes r where r.user_id = p_user_id;
    insert into public.recovery_codes (hash, user_id) select h, p_user_id from unnest(p_hashes) h;
  end if;
  -- A trigger deletes the keys whose generation is not that of the account.
  update public.api_keys k set generation = u.generation + 1 from public.users u
   where u.id = p_user_id and k.user_id = u.id and k.generation = u.generation;
  update public.users u set generation = u.generation + 1 where u.id = p_user_id returning u.* into account;
  delete from public.sign_in_challenges c where c.user_id = p_user_id;
  insert into public.account_emails (id, kind, recipient, user_id)
  values (p_notice, 'factors-changed', account.email, p_user_id);
  return account.generation;
end $$;
