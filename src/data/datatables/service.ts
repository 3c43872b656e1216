/** Datatables: schemas, and the physical tables made of them. Spec: Datatable; D3–D7, D12, D13. */
import type { RequestContext } from '../../context.ts'
import { DatabaseFailure, isViolationOf, sqlstates } from '../../db/failures.ts'
import type { Sql } from '../../db/sql.ts'
import { signedIn } from '../../db/tenant.ts'
import { notFound } from '../../errors.ts'
import { type Catalog, type Datasource, type Plan, withCatalog } from '../catalog.ts'
import { providerUnavailable } from '../datasources/errors.ts'
import { insertDatasource } from '../datasources/store.ts'
import { providers } from '../providers/registry.ts'
import { parseFilter } from '../query/parse.ts'
import { planFilter } from '../query/plan.ts'
import { Problems } from '../query/problems.ts'
import { alreadyMaterialized, invalidSchema, invalidTableName, tableExists, tableNameRule, unknownDatasource } from './errors.ts'
import { isTableName, physicalTableName } from './names.ts'
import { type ResolvedKey, requireMaterialized, resolveForeignKeys } from './references.ts'
import type { DatatableInput, PackageInput, PackageQuery } from './schema.ts'
import { insertDatatable, markMaterialized, runStep, selectDatatables, selectDatatablesByName, tryPatterns } from './store.ts'
import { compileTable, type Table } from './table.ts'
import { parseTableSchema, schemaHash } from './table-schema.ts'
import { asDatatable, asListItem, type DatatableRow } from './views.ts'

type Datatable = ReturnType<typeof asDatatable>

/** A datatable's address: below its datasource, or below its app alone. D13. */
export interface TablePath {
  app: string
  datasource?: string
}

export const listDatatables = (ctx: RequestContext, path: TablePath): Promise<ReturnType<typeof asListItem>[]> =>
  withCatalog(ctx, path.app, 'read', (catalog) => ({
    statements: [selectDatatables(catalog.app.id, path.datasource === undefined ? null : datasourceOf(catalog, path.datasource).id)],
    finish: (results) => results.rows<DatatableRow>().map(asListItem),
  }))

export const readDatatable = (ctx: RequestContext, path: TablePath & { table: string }): Promise<Datatable> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const table = tableOf(catalog, path)
    return {
      statements: [selectDatatablesByName(catalog.app.id, [table.name])],
      finish: (results) => asDatatable(results.one<DatatableRow>()),
    }
  })

/** Creates a datatable, and on request its physical table: both, or none. */
export function createDatatable(
  ctx: RequestContext,
  path: { app: string; datasource: string },
  input: DatatableInput,
  materialized: boolean,
): Promise<Datatable> {
  return changingSchema(ctx, path.app, [input.name], (catalog, distinct) => {
    const datasource = datasourceOf(catalog, path.datasource)
    if (!isTableName(input.name)) throw invalidTableName()
    if (catalog.tables.has(input.name)) throw tableExists(input.name)
    const problems: string[] = []
    const table = newTable(catalog, datasource, input, distinct, problems)
    if (!table) throw invalidSchema(problems)
    return {
      statements: [
        ...tryPatterns(table),
        insertDatatable(signedIn(ctx).userId, catalog.app.id, datasource.slug, table, input.description, materialized),
        ...(materialized ? makeTables(ctx, catalog, datasource.providerType, [table]) : []),
        selectDatatablesByName(catalog.app.id, [input.name]),
      ],
      finish: (results) => asDatatable(results.one<DatatableRow>(-1)),
    }
  })
}

/** Creates all tables of a data package, or none. Without a flat_table datasource the app gets one, `main`. D7, D13. */
export function createSchema(ctx: RequestContext, app: string, input: PackageInput, query: PackageQuery): Promise<{ datatables: Datatable[] }> {
  const names = input.resources.map((resource) => resource.name)
  return changingSchema(ctx, app, names, (catalog, distinct) => {
    const datasource = datasourceFor(catalog, query.datasource)
    const problems: string[] = []
    const tables = input.resources.map((resource, index) => {
      const found: string[] = []
      if (!isTableName(resource.name)) found.push(tableNameRule)
      else if (names.indexOf(resource.name) !== index) found.push('there are two resources of this name')
      else if (catalog.tables.has(resource.name)) found.push('a datatable of this name exists in this app already')
      const table = newTable(catalog, datasource, { name: resource.name, json_schema: resource.schema }, distinct, found)
      problems.push(...found.map((problem) => `resource ${JSON.stringify(resource.name)}: ${problem}`))
      return table
    })
    if (!allFound(tables) || problems.length > 0) throw invalidSchema(problems)
    const making = query.materialize ? makeTables(ctx, catalog, datasource.providerType, tables) : []
    if (!query.materialize) resolveAll(catalog, tables)
    const { userId } = signedIn(ctx)
    return {
      statements: [
        ...tables.flatMap(tryPatterns),
        ...(datasource.isNew ? [insertDatasource(userId, catalog.app.id, mainDatasource)] : []),
        ...tables.map((table, index) =>
          insertDatatable(userId, catalog.app.id, datasource.slug, table, input.resources[index]?.description ?? '', query.materialize),
        ),
        ...making,
        selectDatatablesByName(catalog.app.id, names),
      ],
      finish: (results) => ({ datatables: results.rows<DatatableRow>(-1).map(asDatatable) }),
    }
  })
}

const allFound = (tables: readonly (Table | undefined)[]): tables is Table[] => tables.every((table) => table !== undefined)

/** Makes the physical table of a datatable. D7. */
export const materialize = (ctx: RequestContext, path: TablePath & { table: string }): Promise<Datatable> =>
  changingSchema(ctx, path.app, [path.table], (catalog) => {
    const table = tableOf(catalog, path)
    if (table.isMaterialized) throw alreadyMaterialized(table.name)
    return {
      statements: [
        ...makeTables(ctx, catalog, table.datasource.providerType, [table]),
        markMaterialized(signedIn(ctx).userId, table.id),
        selectDatatablesByName(catalog.app.id, [table.name]),
      ],
      finish: (results) => asDatatable(results.one<DatatableRow>(-1)),
    }
  })

const mainDatasource = { name: 'Main', slug: 'main', provider_type: 'flat_table', provider_config: {}, description: '' } as const

function datasourceFor(catalog: Catalog, slug: string | undefined): { slug: string; providerType: string; isNew: boolean } {
  const found = catalog.datasources.find((datasource) => (slug === undefined ? datasource.providerType === 'flat_table' : datasource.slug === slug))
  if (found) return { ...found, isNew: false }
  if (slug !== undefined) throw unknownDatasource(slug)
  return { slug: mainDatasource.slug, providerType: mainDatasource.provider_type, isNew: true }
}

function datasourceOf(catalog: Catalog, slug: string): Datasource {
  const datasource = catalog.datasources.find((candidate) => candidate.slug === slug)
  if (!datasource) throw notFound()
  return datasource
}

/** The table of an address; 404 when there is none, or none in the datasource. */
export function tableOf(catalog: Catalog, path: TablePath & { table: string }): Table {
  const table = catalog.tables.get(path.table)
  if (!table || (path.datasource !== undefined && table.datasource.slug !== path.datasource)) throw notFound()
  return table
}

/** The table that a schema describes; undefined, with the reasons added to `problems`, when it describes none. */
function newTable(
  catalog: Catalog,
  datasource: Table['datasource'],
  input: { name: string; json_schema?: unknown },
  distinct: boolean,
  problems: string[],
): Table | undefined {
  const parsed = parseTableSchema(input.json_schema)
  if ('problems' in parsed) {
    problems.push(...parsed.problems)
    return undefined
  }
  const table = compileTable(catalog.siteId, {
    id: 0,
    name: input.name,
    json_schema: parsed.schema,
    schema_hash: schemaHash(parsed.schema),
    physical_table_name: physicalTableName(catalog.app.slug, input.name, distinct),
    is_materialized: false,
    datasource: { slug: datasource.slug, providerType: datasource.providerType },
  })
  const filters = new Problems()
  for (const [index, { where }] of (parsed.schema.indexes ?? []).entries()) {
    if (where) planFilter(table, parseFilter(`indexes[${index}].where`, where, filters), filters)
  }
  problems.push(...filters.asList())
  return table
}

/** What the foreign keys of tables lead to: tables of the app, or each other. */
function resolveAll(catalog: Catalog, tables: readonly Table[]): Map<Table, ResolvedKey[]> {
  const own = new Map(tables.map((table) => [table.name, table]))
  const resolved = new Map<Table, ResolvedKey[]>()
  const problems: string[] = []
  for (const table of tables) {
    const found = resolveForeignKeys(table, (name) => own.get(name) ?? catalog.tables.get(name))
    resolved.set(table, found.keys)
    problems.push(...found.problems.map((problem) => (tables.length > 1 ? `resource "${table.name}": ${problem}` : problem)))
  }
  if (problems.length > 0) throw invalidSchema(problems)
  return resolved
}

/** The statements that make physical tables: all tables first, then their foreign keys, which may form circles. */
function makeTables(ctx: RequestContext, catalog: Catalog, providerType: string, tables: readonly Table[]): Sql[] {
  const provider = providers.get(providerType)
  if (!provider) throw providerUnavailable(providerType, [...providers.keys()])
  const keys = [...resolveAll(catalog, tables)]
  const made = new Set(tables)
  for (const [table, resolved] of keys) requireMaterialized(table, resolved, made)
  const steps = [
    ...tables.map((table) => provider.createTable(table)),
    ...keys.flatMap(([table, resolved]) => resolved.map(({ key, referenced }) => provider.addForeignKey(table, key, referenced))),
  ]
  return steps.flatMap((step) => runStep(signedIn(ctx).userId, catalog.app.id, step))
}

/**
 * Plans and runs a change of schemas; `names` are the tables it makes. A second time with a `distinct` physical name
 * when the first is taken by a table of another app.
 */
async function changingSchema<Result>(
  ctx: RequestContext,
  app: string,
  names: readonly string[],
  plan: (catalog: Catalog, distinct: boolean) => Plan<Result>,
): Promise<Result> {
  for (const distinct of [false, true]) {
    try {
      return await withCatalog(ctx, app, 'schema', (catalog) => plan(catalog, distinct))
    } catch (error) {
      const taken = isViolationOf(error, '_datatables_physical_table_name_key')
      if (taken && !distinct) continue
      if (taken || isViolationOf(error, '_datatables_app_id_name_key')) throw tableExists(names.join(', '))
      if (error instanceof DatabaseFailure && error.sqlstate === sqlstates.invalidRegularExpression) throw invalidSchema([patternProblem])
      throw error
    }
  }
  throw new Error('unreachable')
}

const patternProblem = 'constraints.pattern: a pattern of this schema is no regular expression for Postgres'
