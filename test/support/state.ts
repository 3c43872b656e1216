/** Everything that a file's database holds, in a form that two moments can be compared by. */
import type { TestApp } from './app.ts'

/** Of every table of the platform and of the sites, how many rows it has, and a digest of them. */
export async function stateOf(app: TestApp): Promise<Record<string, string>> {
  const tables = await app.sql<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and (table_schema = 'public' or table_schema like 'site\\_%') order by name`,
  )
  const digests = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || md5(coalesce(string_agg(r::text, ',' order by r::text), '')) as digest from ${name} r`,
  )
  const rows = await app.sql<{ name: string; digest: string }>(digests.join(' union all '))
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]))
}
