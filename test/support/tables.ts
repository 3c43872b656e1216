/** Tables for tests without a database. */

import type { TableSchema } from '../../src/data/model/schema-form.ts'
import { compileTable, type Table } from '../../src/data/model/table.ts'
import { parseTableSchema, schemaHash } from '../../src/data/model/table-schema.ts'

export function tableOf(
  name: string,
  schema: unknown,
  siteId = 7,
  { app = 'shop', providerType = 'flat_table' } = {},
): Table {
  const parsed = parseTableSchema(schema)
  if ('problems' in parsed) throw new Error(parsed.problems.join('; '))
  return compileTable(siteId, {
    id: 1,
    name,
    json_schema: parsed.schema,
    schema_hash: schemaHash(parsed.schema),
    physical_table_name: `${app}_${name}`,
    is_materialized: true,
    datasource: { slug: 'main', providerType },
    source: null,
  })
}

/** Returns the tables of a data package, by name. */
export const tablesOf = (
  resources: readonly { name: string; schema: unknown }[],
  siteId?: number,
  where?: Parameters<typeof tableOf>[3],
): Map<string, Table> =>
  new Map(resources.map(({ name, schema }) => [name, tableOf(name, schema, siteId, where)]))

/** Returns the problems of a schema, or the schema. */
export function problemsOf(schema: unknown): string[] | TableSchema {
  const parsed = parseTableSchema(schema)
  return 'problems' in parsed ? parsed.problems : parsed.schema
}
