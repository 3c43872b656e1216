-- Who calls, as a verified token names them: the account and its generation; the organization whose provider the sign-in
-- came from (null: the platform's own sign-in); the session whose cookie was shown (null: a token). And which request it
-- is, from which address: for the audit.
create type public.caller as (id bigint, generation integer, organization_id bigint, session uuid, request_id text, address text);
