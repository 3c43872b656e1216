/** The whole content of a file's database, in a form that can be compared between two moments. */
import type { TestApp } from './app.ts'

/** Returns the number of rows and a digest of each table of the platform and of the sites. */
export async function stateOf(app: TestApp): Promise<Record<string, string>> {
  // Tables without data, which are most, are not queried: planning would be slower than reading.
  const tables = await app.sql<{ name: string; written: boolean }>(
    `select format('%I.%I', nspname, relname) as name, pg_relation_size(c.oid) > 0 as written
       from pg_class c join pg_namespace n on n.oid = relnamespace
      where relkind = 'r' and (nspname = 'public' or nspname like 'site\\_%') order by name`,
  )
  const digests = tables
    .filter(({ written }) => written)
    .map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(r::text, ',' order by r::text), '')) as digest from ${name} r`,
    )
  const rows = await app.sql<{ name: string; digest: string }>(digests.join(' union all '))
  const written = new Map(rows.map(({ name, digest }) => [name, digest]))
  return Object.fromEntries(tables.map(({ name }) => [name, written.get(name) ?? nothing]))
}

/** The digest of an empty table. */
const nothing = '0 d41d8cd98f00b204e9800998ecf8427e'
