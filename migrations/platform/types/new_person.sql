-- A person who signs up, with the data of the future account. username: the name of the account if it is
-- created at once.
create type public.new_person as (
  email text,
  username text,
  password_hash text,
  first_name text,
  last_name text
);
