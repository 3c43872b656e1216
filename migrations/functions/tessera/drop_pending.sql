-- Drops what an interrupted change of a large table had prepared: objects with names that begin with
-- _pending_. Triggers come first, then what they write to. p_table: the physical table, which the caller has
-- locked. p_id: the datatable. It runs with the rights of its caller, the site's role. Called by src/data and
-- tessera.restore_datatable.
create or replace function tessera.drop_pending(p_table regclass, p_id bigint) returns void
language plpgsql as $$
declare
  leftover pg_catalog.text;
begin
  for leftover in
    select format('drop trigger %I on %s', g.tgname, p_table) from pg_trigger g
     where g.tgrelid = p_table and starts_with(g.tgname, '_pending_')
  loop
    execute leftover;
  end loop;
  -- Dropping a column drops its constraints and indexes.
  for leftover in
    select format('alter table %s drop column %I', p_table, a.attname) from pg_attribute a
     where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped
       and starts_with(a.attname, '_pending_')
    union all
    select format('drop table %s', h.oid::regclass) from pg_class o join pg_class h using (relnamespace)
     where o.oid = p_table and h.relkind = 'r' and starts_with(h.relname, format('_pending_%s_', p_id))
  loop
    execute leftover;
  end loop;
  for leftover in
    select format('alter table %s drop constraint %I', p_table, c.conname) from pg_constraint c
     where c.conrelid = p_table and starts_with(c.conname, '_pending_')
    union all
    select format('drop index %s', x.indexrelid::regclass)
      from pg_index x join pg_class i on i.oid = x.indexrelid
     where x.indrelid = p_table and starts_with(i.relname, '_pending_')
  loop
    execute leftover;
  end loop;
end $$;
