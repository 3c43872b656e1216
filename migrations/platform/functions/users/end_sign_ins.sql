-- Ends what an account is signed in with: tokens, sessions and API keys. Answers its new generation.
create or replace function public.end_sign_ins(p_user bigint) returns integer
language sql as $$
  update public.users u set generation = u.generation + 1 where u.id = p_user returning u.generation
$$;
