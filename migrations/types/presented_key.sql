-- An API key, as a request presents it. hash: the hash of the key. plain, scoped: whether the operation
-- accepts a key without scopes, and one with scopes. revision: the revision of the scopes that the statements
-- were planned for; null: they are not known. address: the address of the client; null: it is not known.
create type public.presented_key as (
  hash text,
  plain boolean,
  scoped boolean,
  revision integer,
  address text
);
