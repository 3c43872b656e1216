-- The rights of a site's role to the tables that the platform keeps in its schema. public.create_site has
-- granted all to read and write them; the logs may only be added to.
do $$
begin
  execute format('revoke update, delete, truncate on _erasures, _secret_history, _secret_reads from %I',
                 current_schema());
end $$;
