-- Ends the tokens, sessions and API keys of an account, and returns its new generation. Called by
-- public.accept_invitation and public.drop_unproven.
create or replace function public.end_sign_ins(p_user_id bigint) returns integer
language sql as $$
  update public.users u set generation = u.generation + 1 where u.id = p_user_id returning u.generation
$$;
