/** The whole content of a file's database, in a form that can be compared between two moments. */
import { type Site, siteIdOf, type TestApp } from './app.ts'

interface TableState {
  name: string
  isWritten: boolean
  isOfCredentials: boolean
}

/**
 * Returns the number of rows and a digest of each table of the platform, of the service and of the sites. The digests leave
 * out when a credential was last used, which the service notes once a minute, also for a rejected request.
 * `site`: only its own tables, and its rows of the tables that all sites share.
 */
export async function stateOf(app: TestApp, site?: Site): Promise<Record<string, string>> {
  // Tables without data, which are most, are not queried: planning would be slower than reading.
  const tables = await app.sql<TableState>(
    `select format('%I.%I', nspname, relname) as name, pg_relation_size(c.oid) > 0 as "isWritten",
            exists (select from pg_attribute where attrelid = c.oid and attname = 'last_used_at')
              as "isOfCredentials"
       from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind = 'r' and (nspname in ('public', 'tenant') or nspname like 'site\\_%')
        and ($1::text is null or nspname in ('tenant', $1)) order by name`,
    [site?.schema ?? null],
  )
  const rows = await app.sql<{ name: string; digest: string }>(
    tables
      .filter(({ isWritten }) => isWritten)
      .map((table) => digestOf(table, site))
      .join(' union all '),
  )
  const written = new Map(rows.map(({ name, digest }) => [name, digest]))
  return Object.fromEntries(tables.map(({ name }) => [name, written.get(name) ?? nothing]))
}

function digestOf({ name, isOfCredentials }: TableState, site: Site | undefined): string {
  const row = isOfCredentials ? `(to_jsonb(r) - 'last_used_at')::text` : 'r::text'
  return `select '${name}' as name,
    count(*) || ' ' || md5(coalesce(string_agg(${row}, ',' order by ${row}), '')) as digest from ${name} r
      ${site && name.startsWith('tenant.') ? `where site_id = ${siteIdOf(site)}` : ''}`
}

/** The digest of an empty table. */
const nothing = '0 d41d8cd98f00b204e9800998ecf8427e'
