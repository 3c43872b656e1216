/** A table that a client describes and that does not exist yet. */
import type { Catalog } from '../catalog.ts'
import { parseFilter } from '../query/parse.ts'
import { planFilter, planning } from '../query/plan.ts'
import { Problems } from '../query/problems.ts'
import { physicalTableName } from './names.ts'
import { compileTable, type Table, type TableDatasource } from './table.ts'
import { parseTableSchema, schemaHash } from './table-schema.ts'

/** `name` is a table's name already. `distinct`: the plain physical name is taken by a table of another app. */
export function draftTable(
  catalog: Catalog,
  datasource: TableDatasource,
  name: string,
  schema: unknown,
  distinct: boolean,
): Table | { problems: string[] } {
  const parsed = parseTableSchema(schema)
  if ('problems' in parsed) return parsed
  const table = compileTable(catalog.siteId, {
    id: 0,
    name,
    json_schema: parsed.schema,
    schema_hash: schemaHash(parsed.schema),
    physical_table_name: physicalTableName(catalog.app.slug, name, distinct),
    is_materialized: false,
    datasource: { slug: datasource.slug, providerType: datasource.providerType },
    source: null,
  })
  const problems = indexFilterProblems(table)
  return problems.length > 0 ? { problems } : table
}

/** The filters of partial indexes are read as those of a query are, which takes the table. */
function indexFilterProblems(table: Table): string[] {
  const problems = new Problems()
  for (const [position, { where }] of (table.schema.indexes ?? []).entries()) {
    if (where) planFilter(planning(table, problems), parseFilter(`indexes[${position}].where`, where, problems))
  }
  return problems.asList()
}
