-- A caller, as src/db/caller.ts writes it from a verified token. A caller without an id is nobody: the
-- request has no token. organization_id: the organization whose provider the sign-in came from; null: the
-- platform's own sign-in. session: the session whose cookie the request has; null: it has a token. request_id
-- and address are for the audit.
create type public.caller as (
  id bigint,
  generation integer,
  organization_id bigint,
  session uuid,
  request_id text,
  address text
);
