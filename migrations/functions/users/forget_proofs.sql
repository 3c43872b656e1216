-- Resets what was proved for the former e-mail address of an account: its password, keys, factors and social
-- accounts no longer count as the person's own (public.drop_unproven), and codes that were mailed to that
-- address are no longer valid. S7. A trigger of users.
create or replace function public.forget_proofs() returns trigger
language plpgsql as $$
begin
  new.email_verified_at := null;
  new.password_is_own := false;
  new.factors_are_own := false;
  update public.api_keys k set is_own = false where k.user_id = new.id and k.is_own;
  update public.social_accounts a set is_own = false, is_vouched = false
   where a.user_id = new.id and (a.is_own or a.is_vouched);
  delete from public.confirmations c where c.user_id = new.id;
  return new;
end $$;
