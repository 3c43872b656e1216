/**
 * The whole catalog of a table in Postgres, except the order of its columns and the names of its NOT NULL
 * constraints.
 */

/** Returns a query with one row, `catalog`. `relation` is the qualified name of the table. */
export const catalogOf = (relation: string): string => `
  select json_build_object(
    'columns', (
      select json_object_agg(a.attname, json_build_array(format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid), col_description(a.attrelid, a.attnum)) order by a.attname)
        from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
       where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped),
    'comment', obj_description(t.oid, 'pg_class'),
    'constraints', (
      select json_object_agg(c.conname, json_build_array(c.contype, pg_get_constraintdef(c.oid), c.convalidated) order by c.conname)
        from pg_constraint c where c.conrelid = t.oid and c.contype <> 'n'),
    'indexes', (
      select json_object_agg(i.relname, json_build_array(pg_get_indexdef(i.oid), x.indisvalid, x.indisready) order by i.relname)
        from pg_index x join pg_class i on i.oid = x.indexrelid where x.indrelid = t.oid),
    'triggers', (
      select json_object_agg(g.tgname, pg_get_triggerdef(g.oid) order by g.tgname) from pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal),
    'sequences', (
      select json_agg(s.relname order by s.relname) from pg_depend d join pg_class s on s.oid = d.objid
       where d.refobjid = t.oid and d.refclassid = 'pg_class'::regclass and d.classid = 'pg_class'::regclass and s.relkind = 'S'),
    'referenced by', (
      select json_object_agg(c.conrelid::regclass || ' ' || c.conname, pg_get_constraintdef(c.oid) order by c.conname)
        from pg_constraint c where c.confrelid = t.oid and c.conrelid <> t.oid and c.contype = 'f')) as catalog
    from (select '${relation}'::regclass as oid) t`
