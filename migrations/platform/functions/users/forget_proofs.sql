-- What was proved of one address says nothing of another: with a new one, nothing of the account is the person's own any more
-- (public.drop_unproven), and a code that went to the old one confirms nothing. S7.
create or replace function public.forget_proofs() returns trigger
language plpgsql as $$
begin
  new.email_verified_at := null;
  new.password_is_own := false;
  update public.api_keys k set is_own = false where k.user_id = new.id and k.is_own;
  update public.social_accounts a set is_own = false, is_vouched = false where a.user_id = new.id and (a.is_own or a.is_vouched);
  delete from public.confirmations c where c.user_id = new.id;
  return new;
end $$;
