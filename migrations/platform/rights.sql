-- The rights in the platform's schema and in `tessera`. Applied after the functions and triggers, at each
-- db:migrate.

-- The roles of sites have no rights in the platform's schema, and no role may create temporary tables.
revoke all on schema public from public;
grant usage, create on schema public to current_user;
revoke execute on all functions in schema public from public;
do $$
begin
  execute format('revoke temporary on database %I from public', current_database());
end $$;

-- The functions in `tessera` run with the rights of their caller, except for tessera.claims. The statements
-- of every site and of its guests may call them.
grant usage on schema tessera to public;

select public.make_claim_key();
select public.install_runs();
