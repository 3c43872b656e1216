/** Datatables: schemas, and the physical tables made of them. Spec: Datatable; D3–D7, D12, D13. */
import type { RequestContext } from '../../context.ts'
import { signedIn } from '../../db/tenant.ts'
import { found, notFound } from '../../errors.ts'
import { type Bare, bareOf } from '../../http/lists/envelopes.ts'
import { type Catalog, withCatalog } from '../catalog.ts'
import { type DatasourcePath, datasourceOf } from '../datasources/service.ts'
import { insertDatasource } from '../datasources/store.ts'
import { changeSchema } from './change.ts'
import { draftTable } from './draft.ts'
import { alreadyMaterialized, invalidSchema, invalidTableName, referenceIsReadOnly, tableExists, tableNameRule, unknownDatasource } from './errors.ts'
import { makeTables } from './make.ts'
import { isTableName } from './names.ts'
import { asTables } from './packages.ts'
import { requireQuotas } from './quotas.ts'
import { resolveForeignKeys } from './references.ts'
import type {
  Datatable,
  DatatableInput,
  DatatableListItem,
  DatatableStats,
  DatatablesQuery,
  DeletedQuery,
  PackageInput,
  PackageQuery,
  SchemaView,
} from './schema.ts'
import { asStats } from './stats.ts'
import { insertDatatable, markMaterialized, roomForTables, selectDatatables, selectDatatablesByName, type TableFilter, tryPatterns } from './store.ts'
import type { Table, TableDatasource } from './table.ts'
import { fieldPlaces } from './table-schema.ts'
import { selectDeletedDatatables } from './trash/store.ts'
import { asDatatable, asDeletedItem, asListItem, asSchema, type DatatableRow } from './views.ts'

/** A datatable's address: below its datasource, or below its app alone. D13. */
export interface TablePath {
  app: string
  datasource?: string
  table: string
}

/** All of an app's, its references among them, or those that the query asks for. */
export const listDatatables = (ctx: RequestContext, app: string, query: DatatablesQuery): Promise<Bare<DatatableListItem>> =>
  list(ctx, app, query, (catalog) => {
    const datasource = catalog.datasources.find(({ slug }) => slug === query.datasource)
    if (query.datasource !== undefined && !datasource) throw unknownDatasource(query.datasource)
    return { datasourceId: datasource?.id ?? null, isMaterialized: query.is_materialized ?? null, isActive: query.is_active }
  })

export const listDatatablesIn = (ctx: RequestContext, path: DatasourcePath, query: DeletedQuery): Promise<Bare<DatatableListItem>> =>
  list(ctx, path.app, query, (catalog) => ({ datasourceId: datasourceOf(catalog, path.datasource).id, isMaterialized: null, isActive: true }))

/** `deleted`: those that can be restored. D17. */
const list = (ctx: RequestContext, app: string, query: DeletedQuery, filterOf: (catalog: Catalog) => TableFilter): Promise<Bare<DatatableListItem>> =>
  withCatalog(ctx, app, 'read', (catalog) => ({
    statements: (query.deleted ? selectDeletedDatatables : selectDatatables)(catalog.app.id, filterOf(catalog), query),
    finish: (results) => (query.deleted ? bareOf(results, asDeletedItem) : bareOf(results, asListItem)),
  }))

export const readDatatableStats = (ctx: RequestContext, app: string): Promise<DatatableStats> =>
  withCatalog(ctx, app, 'read', (catalog) => ({ statements: [], finish: () => asStats(catalog) }))

export const readDatatable = (ctx: RequestContext, path: TablePath): Promise<Datatable> => readTable(ctx, path, asDatatable)

export const readSchema = (ctx: RequestContext, path: TablePath): Promise<SchemaView> => readTable(ctx, path, asSchema)

const readTable = <View>(ctx: RequestContext, path: TablePath, view: (row: DatatableRow) => View): Promise<View> =>
  withCatalog(ctx, path.app, 'read', (catalog) => ({
    statements: [selectDatatablesByName(catalog.app.id, [tableOf(catalog, path).name])],
    finish: (results) => view(results.one<DatatableRow>()),
  }))

/** Creates a datatable, and on request its physical table: both, or none. */
export function createDatatable(ctx: RequestContext, path: DatasourcePath, input: DatatableInput, materialized: boolean): Promise<Datatable> {
  return changeSchema(ctx, path.app, [input.name], (catalog, distinct) => {
    const datasource = datasourceOf(catalog, path.datasource)
    if (!isTableName(input.name)) throw invalidTableName()
    if (catalog.tables.has(input.name)) throw tableExists(input.name)
    const table = draftTable(catalog, datasource, input.name, input.json_schema, distinct)
    if ('problems' in table) throw invalidSchema(table.problems)
    requireQuotas(ctx.config, table)
    const places = fieldPlaces(input.json_schema)
    return {
      tries: tryPatterns([table], (_table, field) => places.get(field) ?? field),
      statements: [
        roomForTables(ctx.config, catalog.app.id, 1),
        insertDatatable(signedIn(ctx).userId, catalog.app.id, datasource.slug, table, input.description, materialized),
        ...(materialized ? makeTables(ctx, catalog, datasource.providerType, [table]) : []),
        selectDatatablesByName(catalog.app.id, [input.name]),
      ],
      finish: (results) => asDatatable(results.one<DatatableRow>(-1)),
    }
  })
}

/** Creates all tables of a data package, or none. Without a flat_table datasource the app gets one, `main`, or `main-2` where another one is called so. D7, D13. */
export function createSchema(ctx: RequestContext, app: string, input: PackageInput, query: PackageQuery): Promise<{ datatables: Datatable[] }> {
  const resources = asTables(input)
  const names = resources.map((resource) => resource.name)
  return changeSchema(ctx, app, names, (catalog, distinct) => {
    const { userId } = signedIn(ctx)
    const datasource = datasourceFor(catalog, query.datasource)
    const tables = draftPackage(catalog, datasource, resources, distinct)
    for (const table of tables) requireQuotas(ctx.config, table)
    const making = query.materialize ? makeTables(ctx, catalog, datasource.providerType, tables) : []
    if (!query.materialize) resolveForeignKeys(catalog, tables)
    const places = new Map(resources.map(({ name, schema }) => [name, fieldPlaces(schema)]))
    return {
      tries: tryPatterns(tables, ({ name }, field) => resourcePlace(name) + (places.get(name)?.get(field) ?? field)),
      statements: [
        roomForTables(ctx.config, catalog.app.id, tables.length),
        ...(datasource.isNew ? [insertDatasource(userId, catalog.app.id, { ...mainDatasource, slug: datasource.slug })] : []),
        ...tables.map((table, index) =>
          insertDatatable(userId, catalog.app.id, datasource.slug, table, resources[index]?.description ?? '', query.materialize),
        ),
        ...making,
        selectDatatablesByName(catalog.app.id, names),
      ],
      finish: (results) => ({ datatables: results.rows<DatatableRow>(-1).map(asDatatable) }),
    }
  })
}

/** Throws the 400 that tells, of every resource, everything that is wrong with it. */
function draftPackage(catalog: Catalog, datasource: TableDatasource, resources: PackageInput['resources'], distinct: boolean): Table[] {
  const names = resources.map((resource) => resource.name)
  const problems: string[] = []
  const tables = resources.flatMap(({ name, schema }, index): Table[] => {
    const refuse = (found: readonly string[]) => {
      problems.push(...found.map((problem) => resourcePlace(name) + problem))
      return []
    }
    if (!isTableName(name)) return refuse([tableNameRule])
    if (names.indexOf(name) !== index) return refuse(['there are two resources of this name'])
    if (catalog.tables.has(name)) return refuse(['a datatable of this name exists in this app already'])
    const table = draftTable(catalog, datasource, name, schema, distinct)
    return 'problems' in table ? refuse(table.problems) : [table]
  })
  if (problems.length > 0) throw invalidSchema(problems)
  return tables
}

const resourcePlace = (name: string) => `resource ${JSON.stringify(name)}: `

/** Makes the physical table of a datatable. D7. */
export const materialize = (ctx: RequestContext, path: TablePath): Promise<Datatable> =>
  changeSchema(ctx, path.app, [path.table], (catalog) => {
    const table = ownTableOf(catalog, path)
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
  const { slug: main, provider_type: providerType } = mainDatasource
  const isTaken = (candidate: string) => catalog.datasources.some((datasource) => datasource.slug === candidate)
  let free: string = main
  for (let number = 2; isTaken(free); number++) free = `${main}-${number}`
  return { slug: free, providerType, isNew: true }
}

/** The table of an address, to read of it; 404 when there is none, or none in the datasource. */
export function tableOf(catalog: Catalog, path: TablePath): Table {
  const table = found(catalog.tables.get(path.table))
  if (path.datasource !== undefined && table.datasource.slug !== path.datasource) throw notFound()
  return table
}

/** The same to change it or its records: a reference is changed where its source is. */
export function ownTableOf(catalog: Catalog, path: TablePath): Table {
  const table = tableOf(catalog, path)
  if (table.source) throw referenceIsReadOnly(table.name, table.source)
  return table
}

/** What the reference of an app tells of its materialized tables. W3. */
export const describeTables = (ctx: RequestContext, app: string) =>
  withCatalog(ctx, app, 'read', (catalog) => ({
    statements: [],
    finish: () => ({
      name: catalog.app.name,
      tables: [...catalog.tables.values()].filter((table) => table.isMaterialized).map(describeTable),
    }),
  }))

function describeTable({ name, source, schema, schemaHash, fields, identity, graph }: Table) {
  const filling = [...fields.values()].filter((field) => field.default !== undefined || field === identity)
  const edges = graph && { key: graph.key.schema, types: graph.types.map((type) => type.name) }
  return { name, isReference: source !== null, schema, schemaHash, filled: new Set(filling.map((field) => field.name)), edges }
}
