/** A table as a client describes it, that does not exist yet or not so. */
import type { Catalog } from '../catalog.ts'
import { parseFilter } from '../query/parse.ts'
import { planFilter, planning } from '../query/plan.ts'
import { Problems } from '../query/problems.ts'
import { physicalTableName } from './names.ts'
import { compileTable, rowOf, type Table, type TableDatasource, type TableRow } from './table.ts'
import { parseTableSchema, schemaHash } from './table-schema.ts'

type Draft = Table | { problems: string[] }

/** `name` is a table's name already. `distinct`: the plain physical name is taken by a table of another app. */
export const draftTable = (catalog: Catalog, datasource: TableDatasource, name: string, schema: unknown, distinct: boolean): Draft =>
  draft(catalog, schema, {
    id: 0,
    name,
    physical_table_name: physicalTableName(catalog.app.slug, name, distinct),
    is_materialized: false,
    datasource: { slug: datasource.slug, providerType: datasource.providerType },
    source: null,
  })

/** A table with another schema. */
export const redraftTable = (catalog: Catalog, table: Table, schema: unknown): Draft => draft(catalog, schema, rowOf(table))

function draft(catalog: Catalog, schema: unknown, row: Omit<TableRow, 'json_schema' | 'schema_hash'>): Draft {
  const parsed = parseTableSchema(schema)
  if ('problems' in parsed) return parsed
  const table = compileTable(catalog.siteId, { ...row, json_schema: parsed.schema, schema_hash: schemaHash(parsed.schema) })
  const problems = indexFilterProblems(table)
  return problems.length > 0 ? { problems } : table
}

/** The filters of partial indexes are read as those of a query are, which takes the table. */
export function indexFilterProblems(table: Table): string[] {
  const problems = new Problems()
  for (const [position, { where }] of (table.schema.indexes ?? []).entries()) {
    if (where) planFilter(planning(table, problems), parseFilter(`indexes[${position}].where`, where, problems))
  }
  return problems.asList()
}
