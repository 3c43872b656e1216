/**
 * The whole catalog of the service's schemas and of a site's schema, as sorted lines of text, so that two
 * versions of Postgres can be compared. Some objects differ between versions although they mean
 * the same. They are omitted or normalized:
 *
 * - NOT NULL: from version 18 on it is also a constraint in pg_constraint. The columns contain it in
 *   all versions.
 * - The functions of extensions: a later version of Postgres has later versions of them.
 * - The right MAINTAIN (letter m): from version 17 on, the owner of a table has it. No other role gets it.
 */

/** Returns a statement that returns a `line` for each object. `site` is the name of the site's schema. */
export const catalogLines = (site: string): string => `
  with schemas as (
    select n.oid, n.nspname, n.nspacl from pg_namespace n where n.nspname in ('public', 'tessera', 'tenant', 'runs', '${site}')
  ), relations as (
    select c.*, s.nspname || '.' || c.relname as name from pg_class c join schemas s on s.oid = c.relnamespace
  ), lines (line) as (
    select format('schema %s %s', s.nspname, ${grants('s.nspacl')}) from schemas s
    union all
    select format('relation %s %s owner=%s rows=%s %s', r.relkind, r.name, pg_get_userbyid(r.relowner),
                  r.relrowsecurity, ${grants('r.relacl')})
      from relations r where r.relkind in ('r', 'S', 'c')
    union all
    select format('column %s.%s %s not_null=%s identity=%s generated=%s storage=%s %s default=%s', r.name, a.attname,
                  format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated, a.attstorage, ${grants('a.attacl')},
                  pg_get_expr(d.adbin, d.adrelid))
      from relations r join pg_attribute a on a.attrelid = r.oid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where r.relkind in ('r', 'c') and a.attnum > 0 and not a.attisdropped
    union all
    select format('constraint %s.%s %s', r.name, c.conname, pg_get_constraintdef(c.oid))
      from pg_constraint c join relations r on r.oid = c.conrelid where c.contype <> 'n'
    union all
    select format('policy %s %s %s %s', r.name, p.polname, pg_get_expr(p.polqual, p.polrelid),
                  pg_get_expr(p.polwithcheck, p.polrelid))
      from pg_policy p join relations r on r.oid = p.polrelid
    union all
    select format('index %s', pg_get_indexdef(r.oid)) from relations r where r.relkind = 'i'
    union all
    select format('trigger %s %s', t.tgenabled, pg_get_triggerdef(t.oid))
      from pg_trigger t join relations r on r.oid = t.tgrelid where not t.tgisinternal
    union all
    select format('function owner=%s %s %s', pg_get_userbyid(p.proowner), ${grants('p.proacl')}, pg_get_functiondef(p.oid))
      from pg_proc p join schemas s on s.oid = p.pronamespace
     where p.prokind <> 'a' and not exists (
       select from pg_depend d
        where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
    union all
    select format('aggregate owner=%s %s %s(%s) returns %s by %s %s start=%s parallel=%s', pg_get_userbyid(p.proowner),
                  ${grants('p.proacl')}, p.oid::regproc, pg_get_function_identity_arguments(p.oid),
                  format_type(p.prorettype, null), a.aggtransfn, format_type(a.aggtranstype, null), a.agginitval,
                  p.proparallel)
      from pg_proc p join pg_aggregate a on a.aggfnoid = p.oid join schemas s on s.oid = p.pronamespace
    union all
    select format('rights of a site of the platform''s role: %s', pg_has_role('tessera', '${site}', 'usage'))
    union all
    select format('default rights %s %s', pg_get_userbyid(d.defaclrole), ${grants('d.defaclacl')})
      from pg_default_acl d join schemas s on s.oid = d.defaclnamespace
  )
  select line from lines order by line collate "C"`

/** Returns an expression for the rights of an object as text, in a fixed order and without MAINTAIN. */
function grants(acl: string): string {
  return `(select array_agg(regexp_replace(x.item::text, '=([a-zA-Z*]*)m', '=\\1') order by x.item::text collate "C")
             from unnest(${acl}) x (item))`
}
