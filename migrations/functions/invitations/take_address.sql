-- Locks an e-mail address until the end of the transaction, so that one invitation cannot delete an account
-- while another invitation uses it. All addresses share 1,024 rows of address_locks. Advisory locks would
-- need no rows, but any tenant's statement could take them. Called by the functions of this folder,
-- public.admit_letter, public.begin_sign_up, public.finish_sign_up, public.create_scim_user and
-- public.invite_scim_user.
create or replace function public.take_address(p_email text) returns void
language plpgsql as $$
declare
  lock constant integer := hashtext(lower(p_email)) & 1023;
begin
  if lock is null then
    return;
  end if;
  insert into public.address_locks (id) values (lock) on conflict do nothing;
  perform from public.address_locks l where l.id = lock for update;
end $$;
