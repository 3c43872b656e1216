-- Drops the triggers of a key (tessera.hold_reference and tessera.hold_referenced), whose first argument is
-- its name, from all tables of the site. Called by src/data.
create or replace function tessera.release_reference(p_key_name text) returns void
language plpgsql as $$
declare
  statement pg_catalog.text;
begin
  for statement in
    select format('drop trigger %I on %s', g.tgname, g.tgrelid::regclass)
      from pg_trigger g join pg_class c on c.oid = g.tgrelid
     where c.relnamespace = to_regnamespace(tessera.own_schema())
       and g.tgfoid in ('tessera.hold_reference'::regproc, 'tessera.hold_referenced'::regproc)
       and substring(g.tgargs for position('\x00'::bytea in g.tgargs) - 1) = convert_to(p_key_name, 'UTF8')
  loop
    execute statement;
  end loop;
end $$;
