-- A caller, as src/kernel/db/caller.ts writes it from a verified token. A caller without an id is nobody: the
-- request has no token. organization_id: the only organization in which the sign-in counts; null: it counts
-- everywhere. session: the session whose cookie the request has; null: it has a token. request_id and address
-- are for the audit. host: the tenant's host at which the sign-in was issued; null: a host of the platform.
-- by_password: a password has opened it. client_request_id: the id that the client gave the request; for the
-- audit, too.
create type public.caller as (
  id bigint,
  generation integer,
  organization_id bigint,
  session uuid,
  request_id text,
  address text,
  host text,
  by_password boolean,
  client_request_id text
);
