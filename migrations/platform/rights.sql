-- Applied after the functions and triggers, each time the database is migrated.

-- Sites' roles have no business in the platform's schema, and nobody makes temporary tables.
revoke all on schema public from public;
grant usage, create on schema public to current_user;
revoke execute on all functions in schema public from public;
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end $$;

-- Functions that the statements of every site may call. They run as whoever calls them.
create schema if not exists tessera;
grant usage on schema tessera to public;

select public.install_runs();
