/**
 * Everything of the victim and of the platform that an attempt could change, as hashes by name: rows, rights,
 * columns, policies, functions, views, triggers, rules, constraints, roles and memberships.
 */
import { type Ground, guestRole } from './ground.ts'

/** Returns the hashes. Two are equal if no attempt has changed anything. */
export async function stateOf({ sql, mine, theirs }: Ground): Promise<Record<string, string>> {
  const [{ tables } = { tables: [] }] = await sql<{ tables: { name: string; filter: string }[] }>(
    `select json_agg(json_build_object('name', c.oid::regclass::text, 'filter', case
              when n.nspname = 'tenant' then ' where t.site_id <> ${mine.id}'
              -- The attacker's own deeds are noted, and have changed its catalog.
              when c.relname = 'audit_entries' then ' where t.site_id is distinct from ${mine.id}'
              when c.relname = 'sites' then ' where t.id <> ${mine.id}' else '' end) order by c.oid) as tables
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname in ('public', 'tenant', '${theirs.schema}')`,
  )
  const rows = tables.map(({ name, filter }) => [name, `${name} t${filter}`] as const)
  const all = [...rows, ...catalogs(mine.schema, theirs.schema)]
  const columns = all.map(
    ([name, from]) =>
      `(select md5(coalesce(string_agg(t::text, chr(10) order by t::text), '')) from ${from}) as "${name.replaceAll('"', '')}"`,
  )
  const [state] = await sql<Record<string, string>>(`select ${columns.join()}`)
  return state ?? {}
}

/** What each name stands for: the text after `from`, with the alias `t`. */
function catalogs(mine: string, theirs: string): [name: string, from: string][] {
  // Not 'runs' of other sites of the server's other databases: each database has its own.
  const schemas = `('public', 'tenant', 'tessera', 'runs', '${theirs}', '${theirs}_guest')`
  const of = `join pg_namespace n on n.oid = c.relnamespace and n.nspname in ${schemas}`
  const roles = `('${mine}', '${theirs}', '${guestRole}', 'tessera', 'tessera_site',
                  'tessera_service', 'tessera_schema')`
  const ours = `('${mine}', '${theirs}', '${guestRole}')`
  const selected: [string, string][] = [
    [
      'schemas',
      `select n.oid, n.nspname, n.nspowner, n.nspacl from pg_namespace n where n.nspname in ${schemas}`,
    ],
    [
      'relations',
      `select c.oid, c.relname, c.relkind, c.relowner, c.relacl, c.relrowsecurity, c.relforcerowsecurity,
              c.relhastriggers, c.relhasrules, c.relhassubclass, c.reloptions,
              case when c.relkind = 'v' then pg_get_viewdef(c.oid) end
         from pg_class c ${of} where c.relkind <> 'i'`,
    ],
    [
      'columns',
      `select c.oid, a.attname, a.atttypid, a.attnotnull, a.attacl, a.attisdropped, a.attoptions,
              pg_get_expr(d.adbin, d.adrelid)
         from pg_class c ${of} join pg_attribute a on a.attrelid = c.oid
         left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum`,
    ],
    ['indexes', `select c.oid, pg_get_indexdef(c.oid) from pg_class c ${of} where c.relkind = 'i'`],
    [
      'functions',
      `select p.oid, p.proname, p.proowner, p.proacl, p.prosrc, p.prosecdef, p.proleakproof, p.proconfig,
              p.provolatile, p.proparallel, p.prolang
         from pg_proc p join pg_namespace n on n.oid = p.pronamespace and n.nspname in ${schemas}`,
    ],
    [
      'policies',
      `select p.polrelid, p.polname, p.polcmd, p.polroles, p.polpermissive,
                         pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)
                    from pg_policy p join pg_class c on c.oid = p.polrelid ${of}`,
    ],
    [
      'triggers',
      `select g.oid, g.tgenabled, pg_get_triggerdef(g.oid)
                    from pg_trigger g join pg_class c on c.oid = g.tgrelid ${of}`,
    ],
    [
      'rules',
      `select r.oid, r.ev_enabled, r.ev_type, r.is_instead
                 from pg_rewrite r join pg_class c on c.oid = r.ev_class ${of}`,
    ],
    [
      'constraints',
      `select x.oid, x.convalidated, pg_get_constraintdef(x.oid)
                       from pg_constraint x join pg_class c on c.oid = x.conrelid ${of}`,
    ],
    [
      'heirs',
      `select i.inhrelid, i.inhparent from pg_inherits i join pg_class c on c.oid = i.inhparent ${of}`,
    ],
    ['statistics', `select x.oid from pg_statistic_ext x join pg_class c on c.oid = x.stxrelid ${of}`],
    [
      'sequences',
      `select s.seqrelid, s.seqincrement, s.seqmax, s.seqcycle
                     from pg_sequence s join pg_class c on c.oid = s.seqrelid ${of}`,
    ],
    [
      'roles',
      `select r.rolname, r.rolsuper, r.rolinherit, r.rolcreaterole, r.rolcreatedb, r.rolcanlogin,
              r.rolreplication, r.rolbypassrls, r.rolconfig from pg_roles r where r.rolname in ${roles}`,
    ],
    // Roles belong to the server: other databases make members of the group at the same time.
    [
      'memberships',
      `select m.roleid::regrole, m.member::regrole, m.admin_option from pg_auth_members m
        where m.roleid::regrole::text in ${ours} or m.member::regrole::text in ${ours}
           or m.member::regrole::text = 'tessera_service'`,
    ],
    [
      'settings of roles',
      `select s.setrole::regrole, s.setconfig from pg_db_role_setting s
                            where s.setdatabase = (select oid from pg_database where datname = current_database())`,
    ],
    [
      'default rights',
      `select d.defaclrole, d.defaclnamespace, d.defaclacl from pg_default_acl d
              where d.defaclrole::regrole::text <> '${mine}'`,
    ],
    ['database', `select d.datacl from pg_database d where d.datname = current_database()`],
    [
      'rest',
      `select 'publication', oid from pg_publication union all select 'event', oid from pg_event_trigger
              union all select 'extension', oid from pg_extension union all select 'language', oid from pg_language
              union all select 'cast', oid from pg_cast`,
    ],
  ]
  return selected.map(([name, select]) => [name, `(${select}) t`])
}

/** Returns the names of the hashes that differ. */
export const changesBetween = (before: Record<string, string>, after: Record<string, string>): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => before[name] !== after[name])
