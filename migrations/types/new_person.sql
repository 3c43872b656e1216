-- Whoever signs up: the account as it will be. username: the name that an account gets that is made at once.
create type public.new_person as (
  email text,
  username text,
  password_hash text,
  first_name text,
  last_name text
);
