/** What the catalog of Postgres must say about the schema `tenant`: a sentence, and a statement that finds offenders. */

const shared = `pg_class c join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'tenant'`

/** The indexes of the sweeps over all sites. */
const sweeps = `('_awaited_notes_due_at_idx', '_deliveries_due_at_idx', '_kept_answers_expires_at_idx', '_mails_due_at_idx',
  '_deleted_datatables_drop_at_idx', '_schema_jobs_queued_at_idx')`

/** The number of the column site_id of a table. */
const siteColumn = (table: string) =>
  `(select a.attnum from pg_attribute a where a.attrelid = ${table} and a.attname = 'site_id')`

/** The tables that public.erase_rows deletes from, in its order. */
const erased = `((select string_to_array(regexp_replace(substring(p.prosrc from '''\\{(_[_a-z,\\s]+)\\}'''), '\\s', '', 'g'), ',')
                   from pg_proc p where p.oid = 'public.erase_rows'::regproc)::text[])`

/** The functions of triggers on the tables in `tenant`. */
const fired = `(select distinct p.oid, p.proname, p.prosecdef, p.prosrc from pg_trigger t join ${shared} on c.oid = t.tgrelid
                  join pg_proc p on p.oid = t.tgfoid where not t.tgisinternal) f`

export const catalogRules: [sentence: string, offenders: string][] = [
  [
    'every table has a column site_id that is never null',
    `select c.relname as what from ${shared} where c.relkind in ('r', 'p') and not exists (
       select from pg_attribute a where a.attrelid = c.oid and a.attname = 'site_id' and a.attnotnull
          and a.atttypid = 'bigint'::regtype)`,
  ],
  [
    'has tables, sequences and indexes, and nothing else',
    `select c.relname as what from ${shared} where c.relkind not in ('r', 'S', 'i')`,
  ],
  [
    'every table has row-level security, which its owner alone passes',
    `select c.relname as what from ${shared} where c.relkind = 'r' and (not c.relrowsecurity or c.relforcerowsecurity
        or pg_get_userbyid(c.relowner) <> 'tessera')`,
  ],
  [
    'every table has one policy, for all roles and all statements: the own site',
    `select c.relname as what from ${shared} where c.relkind = 'r' and (
       select array_agg(p.polname::text || p.polcmd::text || p.polpermissive::text || p.polroles::text
                        || pg_get_expr(p.polqual, p.polrelid) || pg_get_expr(p.polwithcheck, p.polrelid))
         from pg_policy p where p.polrelid = c.oid)
       is distinct from array['own*true{0}(site_id = tessera.own_site())(site_id = tessera.own_site())']`,
  ],
  [
    'every key and index begins with the site, but those of the sweeps',
    `select i.indexrelid::regclass::text as what from pg_index i join ${shared} on c.oid = i.indrelid
      where i.indkey[0] <> ${siteColumn('i.indrelid')}
        and (i.indisunique or (select x.relname from pg_class x where x.oid = i.indexrelid) not in ${sweeps})`,
  ],
  [
    'the sweeps have their indexes',
    `select s.name as what from unnest(array[${sweeps.slice(1, -1)}]) s (name)
      where to_regclass('tenant.' || s.name) is null`,
  ],
  [
    'every foreign key begins with the site at both ends, and leads to another shared table or to the sites',
    `select x.conname as what from pg_constraint x join ${shared} on c.oid = x.conrelid
      where x.contype = 'f' and x.confrelid <> 'public.sites'::regclass and (
        x.conkey[1] <> ${siteColumn('x.conrelid')} or x.confkey[1] is distinct from ${siteColumn('x.confrelid')})`,
  ],
  [
    'no table outside references one inside',
    `select x.conname as what from pg_constraint x join ${shared} on c.oid = x.confrelid
      where x.contype = 'f' and x.conrelid not in (select c.oid from ${shared})`,
  ],
  [
    'only the group of sites has rights to rows, and never to empty, reference or watch a table',
    `select c.relname || ': ' || a.grantee::regrole || ' ' || a.privilege_type as what
       from ${shared} cross join aclexplode(c.relacl) a
      where c.relkind = 'r' and a.grantee <> c.relowner and (a.grantee <> 'tessera_site'::regrole or a.is_grantable
         or a.privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE'))`,
  ],
  [
    'only the group of sites has rights to columns, and never to reference one',
    `select c.relname || '.' || t.attname as what
       from ${shared} join pg_attribute t on t.attrelid = c.oid cross join aclexplode(t.attacl) a
      where a.grantee <> 'tessera_site'::regrole or a.is_grantable
         or a.privilege_type not in ('SELECT', 'INSERT', 'UPDATE')`,
  ],
  [
    'nobody has a right to a sequence',
    `select c.relname as what from ${shared} cross join aclexplode(c.relacl) a
      where c.relkind = 'S' and a.grantee <> c.relowner`,
  ],
  [
    'sites may use the schema, and nobody else may do anything there',
    `select a.grantee::regrole || ' ' || a.privilege_type as what
       from pg_namespace n cross join aclexplode(n.nspacl) a
      where n.nspname = 'tenant' and a.grantee <> n.nspowner
        and (a.grantee, a.privilege_type) <> ('tessera_site'::regrole, 'USAGE')`,
  ],
  [
    'has no default rights for what the platform makes',
    `select d.defaclacl::text as what from pg_default_acl d where d.defaclnamespace = 'tenant'::regnamespace and pg_get_userbyid(d.defaclrole) = 'tessera'`,
  ],
  [
    'the group of sites is a member of nothing, owns nothing and cannot sign in',
    `select r.rolname as what from pg_roles r where r.rolname = 'tessera_site' and (
       r.rolsuper or r.rolbypassrls or r.rolcanlogin or r.rolcreaterole or r.rolcreatedb
       or exists (select from pg_auth_members m where m.member = r.oid)
       or exists (select from pg_shdepend s where s.refobjid = r.oid and s.deptype = 'o'))`,
  ],
  [
    'the erasure of a site names every table',
    `select c.relname as what from ${shared} where c.relkind = 'r' and c.relname <> all ${erased}
     union all select e from unnest(${erased}) e where to_regclass('tenant.' || e) is null`,
  ],
  [
    'the erasure of a site deletes from each table before those that it references',
    `select x.conname as what from pg_constraint x join ${shared} on c.oid = x.conrelid
      where x.contype = 'f' and x.confrelid not in (x.conrelid, 'public.sites'::regclass)
        and array_position(${erased}, c.relname::text)
            > array_position(${erased}, (select r.relname::text from pg_class r where r.oid = x.confrelid))`,
  ],
  [
    'triggers that use tables have the rights of the platform: an action of a foreign key changes who runs them',
    `select f.proname as what from ${fired} where not f.prosecdef and f.prosrc ~ '\\m(tenant|public)\\.'`,
  ],
  [
    'triggers take the site from the row, never from the role',
    `select f.proname as what from ${fired} where f.prosrc ~* '\\m(current_user|current_role|session_user|own_(site|schema))\\M'`,
  ],
  [
    'triggers name the site in each row that they insert',
    `select f.proname || ' ' || i[1] as what
       from ${fired} cross join regexp_matches(f.prosrc, 'insert into (tenant\\._[a-z_]+)\\s*(\\([^)]*\\))?', 'gi') i
      where coalesce(i[2], '') !~ '\\msite_id\\M'`,
  ],
  [
    'nobody may name what is in the schema of the runners',
    `select a.grantee::regrole || ' ' || a.privilege_type as what
       from pg_namespace n cross join aclexplode(n.nspacl) a where n.nspname = 'runs' and a.grantee <> n.nspowner`,
  ],
  [
    'each runner belongs to the role in its name, and runs with its rights',
    `select p.proname as what from pg_proc p where p.pronamespace = 'runs'::regnamespace and (
       pg_get_userbyid(p.proowner) not in (p.proname, 'tessera_' || p.proname) or not p.prosecdef)`,
  ],
  [
    'only its role and that of the platform may execute a runner',
    `select p.proname || ' ' || a.grantee::regrole as what
       from pg_proc p cross join aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
      where p.pronamespace = 'runs'::regnamespace and a.grantee not in (p.proowner, 'tessera'::regrole)`,
  ],
  [
    'every view for guests has both gates of its own site',
    `select c.oid::regclass::text as what
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      cross join substring(n.nspname from '^site_(\\d+)_guest$') s (id)
      where n.nspname ~ '^site_\\d+_guest$' and (c.relkind <> 'v' or pg_get_viewdef(c.oid)
            !~ format('tessera\\.is_here\\(+''?%1$s\\M.*SELECT tessera\\.is_here_now\\(+''?%1$s\\M', s.id)
         or not c.reloptions @> array['security_barrier=true'])`,
  ],
  [
    'every function for guests begins with the gate of its own site',
    `select p.oid::regproc::text as what from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname ~ '^site_\\d+_guest$' and p.prosrc !~ format('begin\\s+perform tessera\\.is_here_now\\(''?%s\\M',
              substring(n.nspname from '\\d+'))`,
  ],
  [
    'guests may read views and execute functions, and nothing else',
    `select c.oid::regclass || ' ' || a.privilege_type as what
       from pg_class c cross join aclexplode(c.relacl) a
      where a.grantee = 'tessera_guest'::regrole and (c.relkind <> 'v' or a.privilege_type <> 'SELECT')`,
  ],
]
