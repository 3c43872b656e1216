/** The whole content of a file's database, in a form that can be compared between two moments. */
import type { TestApp } from './app.ts'

interface TableState {
  name: string
  isWritten: boolean
  isOfCredentials: boolean
}

/**
 * Returns the number of rows and a digest of each table of the platform and of the sites. The digests leave
 * out when a credential was last used, which the service notes once a minute, also for a rejected request.
 */
export async function stateOf(app: TestApp): Promise<Record<string, string>> {
  // Tables without data, which are most, are not queried: planning would be slower than reading.
  const tables = await app.sql<TableState>(
    `select format('%I.%I', nspname, relname) as name, pg_relation_size(c.oid) > 0 as "isWritten",
            exists (select from pg_attribute where attrelid = c.oid and attname = 'last_used_at')
              as "isOfCredentials"
       from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind = 'r' and (nspname = 'public' or nspname like 'site\\_%') order by name`,
  )
  const rows = await app.sql<{ name: string; digest: string }>(
    tables
      .filter(({ isWritten }) => isWritten)
      .map(digestOf)
      .join(' union all '),
  )
  const written = new Map(rows.map(({ name, digest }) => [name, digest]))
  return Object.fromEntries(tables.map(({ name }) => [name, written.get(name) ?? nothing]))
}

function digestOf({ name, isOfCredentials }: TableState): string {
  const row = isOfCredentials ? `(to_jsonb(r) - 'last_used_at')::text` : 'r::text'
  return `select '${name}' as name,
    count(*) || ' ' || md5(coalesce(string_agg(${row}, ',' order by ${row}), '')) as digest from ${name} r`
}

/** The digest of an empty table. */
const nothing = '0 d41d8cd98f00b204e9800998ecf8427e'
