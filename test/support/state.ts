/** Everything that a file's database holds, in a form that two moments can be compared by. */
import type { TestApp } from './app.ts'

/** Of every table of the platform and of the sites, how many rows it has, and a digest of them. */
export async function stateOf(app: TestApp): Promise<Record<string, string>> {
  // Of tables that were never written to, which are most, nothing is asked: planning would take longer than reading.
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

/** The digest of a table without rows. */
const nothing = '0 d41d8cd98f00b204e9800998ecf8427e'
