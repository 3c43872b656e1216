/** Compiles tables from schemas that clients send, before they exist. */

import type { Catalog } from '../catalog/load-catalog.ts'
import { placeInApp } from '../guests/planned-rules.ts'
import { ruleProblems } from '../model/access.ts'
import { appRulesFor } from '../model/app-rules.ts'
import { uniqueKeysOf } from '../model/keys.ts'
import { physicalTableName } from '../model/names.ts'
import { compileTable, type Table, type TableRow, tableRowOf } from '../model/table.ts'
import type { TableDatasource } from '../model/table-origin.ts'
import { parseTableSchema, schemaHash } from '../model/table-schema.ts'
import { isInMongodb } from '../providers/mongodb/capabilities.ts'
import { parseFilter } from '../query/parse/filter-tree.ts'
import { rowExpressionProblems } from '../query/plan/expression/row-expression.ts'
import { planFilter } from '../query/plan/filter.ts'
import { planning } from '../query/plan/planning.ts'
import { Problems } from '../query/problems.ts'
import { collectionProblems } from './collections.ts'

/** A compiled table, or the problems of its schema. */
type Draft = Table | { problems: string[] }

/** A table that does not exist yet. */
interface NewTable {
  /** A valid table name. */
  name: string
  schema: unknown
  /** True if another app has a table with the plain physical name. */
  distinct: boolean
}

/** Compiles a new table. */
export const draftTable = (
  catalog: Catalog,
  datasource: TableDatasource,
  { name, schema, distinct }: NewTable,
): Draft =>
  draft(catalog, schema, {
    id: 0,
    name,
    physical_table_name: physicalTableName(catalog.app.slug, name, distinct),
    is_materialized: false,
    datasource: { slug: datasource.slug, providerType: datasource.providerType },
    source: null,
    app_rules: appRulesFor({ source: null, datasource }, catalog.app.rules),
  })

/** Compiles an existing table with another schema. `origins` are the old names of renamed fields. */
export const redraftTable = (
  catalog: Catalog,
  table: Table,
  schema: unknown,
  origins: ReadonlyMap<string, string> = new Map(),
): Draft => draft(catalog, schema, tableRowOf(table), new Map([...origins].map(([name, old]) => [old, name])))

function draft(
  catalog: Catalog,
  schema: unknown,
  row: Omit<TableRow, 'json_schema' | 'schema_hash'>,
  renamed?: ReadonlyMap<string, string>,
): Draft {
  const parsed = parseTableSchema(schema)
  if ('problems' in parsed) return parsed
  const table = compileTable(catalog.siteId, {
    ...row,
    json_schema: parsed.schema,
    schema_hash: schemaHash(parsed.schema),
  })
  const problems = [
    ...indexFilterProblems(table),
    ...deferredProblems(table),
    ...rowExpressionProblems(table, renamed),
    ...appRuleProblems(table),
    ...(isInMongodb(table) ? collectionProblems(table) : []),
  ]
  return problems.length > 0 ? { problems } : table
}

/** Returns the problems of the rules of the app in a table, except those of their filters. */
export const appRuleProblems = ({ rules, schema, ...table }: Table): string[] =>
  rules
    .slice(schema.access?.rules.length ?? 0)
    .flatMap((rule) =>
      ruleProblems({ ...schema, unreadable: new Set() }, rule).map(
        (problem) => `${placeInApp(rule)}.${problem} in ${JSON.stringify(table.name)}`,
      ),
    )

/** Returns the problems of keys that are checked after a statement. */
const deferredProblems = (table: Table): string[] =>
  [...table.fields.values()]
    .filter(({ schema }) => schema.constraints?.unique === 'deferred')
    .flatMap(({ name }) => {
      const place = `fields.${name}.constraints.unique: "deferred"`
      if (!table.storage.hasColumns || isInMongodb(table))
        return [`${place} is only possible in a flat table`]
      return uniqueKeysOf({ ...table, fields: new Map() }).some(
        (key) => !key.where && key.fields.length === 1 && key.fields[0] === name,
      )
        ? [`${place} has no effect, because another key or index makes the same field unique`]
        : []
    })

/** Returns the problems of the filters of indexes and exclusions, which are planned like those of a query. */
export function indexFilterProblems(table: Table): string[] {
  const problems = new Problems()
  const { indexes = [], exclusions = [] } = table.schema
  for (const [part, list] of Object.entries({ indexes, exclusions })) {
    for (const [position, { where }] of list.entries()) {
      if (where)
        planFilter(planning(table, problems), parseFilter(`${part}[${position}].where`, where, problems))
    }
  }
  return problems.asList()
}
