-- What a person enters to accept an invitation. code_hash: the hash of the code in the e-mail; null: none was
-- shown.
create type public.accepted_person as (
  password_hash text,
  first_name text,
  last_name text,
  code_hash text
);
