-- Triggers that end sign-ins, keys and proofs with a change of an account, and tell its owner.
create or replace trigger users_drop_ended_keys after update on public.users
  for each row when (old.generation <> new.generation) execute function public.drop_ended_keys();
create or replace trigger users_end_with_activity before update of is_active on public.users
  for each row when (old.is_active and not new.is_active) execute function public.end_with_activity();
create or replace trigger users_forget_proofs before update of email on public.users
  for each row when (lower(old.email) <> lower(new.email)) execute function public.forget_proofs();
create or replace trigger users_tell_person after update on public.users
  for each row when ((old.email, old.password_hash) is distinct from (new.email, new.password_hash))
  execute function public.tell_person();
