-- Drops the triggers of the platform's tables in the schema of a site, before the current ones are created.
-- The triggers of the tenant's own tables stay. p_site: the name of the schema. Called by
-- public.migrate_site.
create or replace function public.drop_site_triggers(p_site text) returns void
language plpgsql as $$
declare
  statement text;
begin
  for statement in
    select format('drop trigger %I on %s', g.tgname, g.tgrelid::regclass)
      from public.objects_of(p_site, 'pg_class') o
      join pg_class c on c.oid = o.id
      join pg_trigger g on g.tgrelid = c.oid
     where not g.tgisinternal and pg_get_userbyid(c.relowner) = current_user
  loop
    execute statement;
  end loop;
end $$;
