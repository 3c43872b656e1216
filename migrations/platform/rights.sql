-- Applied after the functions and triggers, each time one of them has changed.

-- Sites' roles have no business in the platform's schema.
revoke all on schema public from public;
grant usage, create on schema public to current_user;
revoke execute on all functions in schema public from public;

-- Functions that the statements of every site may call. They run as whoever calls them.
grant usage on schema tessera to public;
