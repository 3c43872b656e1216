/** Creates datatables: one, or all those of a data package. Spec: Datatable; D3–D7, D13. */

import type { RequestContext } from '../../kernel/context.ts'
import type { Rows } from '../../kernel/db/batch.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { invalidFields } from '../../kernel/errors.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import type { TablePath } from '../catalog/find-table.ts'
import { datasourceOf } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { proposeSchema } from '../datasources/mongodb.ts'
import type { DatasourcePath } from '../datasources/service.ts'
import { insertDatasource } from '../datasources/store.ts'
import { remakeViews } from '../guests/remake.ts'
import { isCollectionName, noCollectionName } from '../model/adopted.ts'
import { isTableName } from '../model/names.ts'
import type { Table } from '../model/table.ts'
import { fieldPlaces } from '../model/table-schema.ts'
import { isInMongodb, notInMongodb } from '../providers/mongodb/capabilities.ts'
import type { DdlStep } from '../providers/provider.ts'
import { changeSchema, schemaError } from './change-schema.ts'
import { draftTable } from './draft.ts'
import { invalidSchema, invalidTableName, tableExists, tableNameRule, unknownDatasource } from './errors.ts'
import { resolveForeignKeys } from './foreign-keys.ts'
import { makeTables, planTables } from './make-tables.ts'
import { materialize } from './materialize.ts'
import { tablesOfPackage } from './packages.ts'
import { requireQuotas } from './quotas.ts'
import type { Datatable, DatatableInput, PackageInput, PackageQuery } from './schema.ts'
import {
  deleteDatatable,
  insertDatatable,
  lockTables,
  requireTableQuota,
  selectDatatablesByName,
  tryPatterns,
} from './store.ts'
import { asDatatable, type DatatableRow, datatableAgain } from './views.ts'

/**
 * Creates a datatable, and its physical table if `materialized` is true: both, or neither. Throws 400 for an
 * invalid or taken name and an invalid schema, 404 for an unknown datasource, and 422 for quotas.
 */
export async function createDatatable(
  ctx: RequestContext,
  path: DatasourcePath,
  input: DatatableInput,
  materialized: boolean,
): Promise<Datatable> {
  const { name, description, collection } = input
  if (collection !== undefined && input.json_schema !== undefined)
    throw invalidFields({ collection: ['Send either a collection or a json_schema.'] })
  if (collection !== undefined && !isCollectionName(collection))
    throw invalidFields({ collection: [noCollectionName] })
  if (collection === undefined && input.json_schema === undefined)
    throw invalidFields({ json_schema: ['This field is required.'] })
  const proposal =
    collection === undefined
      ? undefined
      : await proposeSchema(ctx, path, { collection, sample: input.sample })
  const json_schema = proposal ? proposal.schema : input.json_schema
  const made = await changeSchema(
    ctx,
    path.app,
    [name],
    (catalog, distinct) => {
      const datasource = datasourceOf(catalog, path.datasource)
      if (!isTableName(name)) throw invalidTableName()
      if (catalog.tables.has(name)) throw tableExists(name)
      const table = draftTable(catalog, datasource, { name, schema: json_schema, distinct })
      if ('problems' in table) throw invalidSchema(table.problems)
      requireQuotas(ctx.config, table)
      const isElsewhere = materialized && isInMongodb(table)
      if (isElsewhere && ctx.requestKey) throw notInMongodb('repeatable')
      const isMade = materialized && !isElsewhere
      const places = fieldPlaces(json_schema)
      return planOf({
        // Without a physical table there is nothing that a schema change could do to it.
        mode: isMade ? 'schema' : 'write',
        tries: tryPatterns([table], (_table, field) => places.get(field) ?? field),
        statements: {
          locked: lockTables(catalog.app.id),
          quota: requireTableQuota(ctx.config, catalog.app.id, 1),
          inserted: insertDatatable(requireCaller(ctx).userId, catalog.app.id, {
            datasource: datasource.slug,
            table,
            description,
            isMaterialized: isMade,
          }),
          made: isMade ? makeTables(ctx, catalog, datasource.providerType, [table]) : undefined,
          datatable: selectDatatablesByName(catalog.app.id, [name]),
        },
        finish: ({ datatable }) =>
          isElsewhere
            ? madeElsewhere(ctx, { ...path, table: name }, datatable.one.id)
            : asDatatable(datatable.one),
      })
    },
    datatableAgain,
  )
  return proposal ? { ...made, findings: proposal.findings } : made
}

/**
 * Makes the collection of a new table in MongoDB; if that fails, there is no table either. Throws as
 * `ask` does.
 */
async function madeElsewhere(ctx: RequestContext, path: TablePath, id: number): Promise<Datatable> {
  try {
    return await materialize(ctx, path)
  } catch (error) {
    await withCatalog(ctx, path.app, 'write', () =>
      planOf({ statements: { removed: deleteDatatable(id) }, finish: () => undefined }),
    )
    throw error
  }
}

/**
 * Creates all tables of a data package, or none. Without `datasource` they go to the first flat_table
 * datasource of the app; if it has none, one is created. Throws 400 with the problems of every resource, and
 * 422 for quotas. D7, D13.
 */
export function createSchema(
  ctx: RequestContext,
  app: string,
  input: PackageInput,
  query: PackageQuery,
): Promise<{ datatables: Datatable[] }> {
  const resources = tablesOfPackage(input)
  const names = resources.map((resource) => resource.name)
  return changeSchema(
    ctx,
    app,
    names,
    (catalog, distinct) => {
      const { userId } = requireCaller(ctx)
      const { datasource, tables } = draftPackage(ctx, catalog, resources, { query, distinct })
      const made = query.materialize ? makeTables(ctx, catalog, datasource.providerType, tables) : undefined
      if (!query.materialize) resolveForeignKeys(catalog, tables)
      return planOf({
        tries: tryPatternsOf(resources, tables),
        mode: query.materialize ? 'schema' : 'write',
        statements: {
          locked: lockTables(catalog.app.id),
          quota: requireTableQuota(ctx.config, catalog.app.id, tables.length),
          datasource: datasource.isNew
            ? insertDatasource(userId, catalog.app.id, { ...defaultDatasource, slug: datasource.slug })
            : undefined,
          inserted: tables.map((table, index) =>
            insertDatatable(userId, catalog.app.id, {
              datasource: datasource.slug,
              table,
              description: resources[index]?.description ?? '',
              isMaterialized: query.materialize,
            }),
          ),
          made,
          datatables: selectDatatablesByName(catalog.app.id, names),
        },
        finish: ({ datatables }) => ({ datatables: datatables.all.map(asDatatable) }),
      })
    },
    ({ datatables }: { datatables: Rows<DatatableRow> }) => ({
      result: { datatables: datatables.all.map(asDatatable) },
    }),
  )
}

/**
 * Plans the tables of a data package without creating them. Returns the steps; drafts have none. Throws as
 * `createSchema` does. Spec: D7, D13.
 */
export function planSchema(
  ctx: RequestContext,
  app: string,
  input: PackageInput,
  query: PackageQuery,
): Promise<readonly DdlStep[]> {
  const resources = tablesOfPackage(input)
  return withCatalog(ctx, app, 'read', (catalog) => {
    const { datasource, tables } = draftPackage(ctx, catalog, resources, { query, distinct: false })
    if (!query.materialize) resolveForeignKeys(catalog, tables)
    const steps = query.materialize ? planTables(catalog, datasource.providerType, tables) : []
    if (query.materialize) remakeViews(catalog, { made: tables })
    return planOf({
      tries: tryPatternsOf(resources, tables),
      statements: {},
      finish: () => steps,
      errorOf: schemaError,
    })
  })
}

/** Tries the patterns of the tables of a package. */
function tryPatternsOf(resources: PackageInput['resources'], tables: readonly Table[]) {
  const places = new Map(resources.map(({ name, schema }) => [name, fieldPlaces(schema)]))
  return tryPatterns(
    tables,
    ({ name }, field) => resourcePlace(name) + (places.get(name)?.get(field) ?? field),
  )
}

/**
 * Compiles the tables of a package, for their datasource. Throws 400 with every problem of every resource,
 * and 422 for quotas.
 */
function draftPackage(
  ctx: RequestContext,
  catalog: Catalog,
  resources: PackageInput['resources'],
  { query, distinct }: { query: PackageQuery; distinct: boolean },
) {
  const datasource = datasourceFor(catalog, query.datasource)
  if (datasource.providerType === 'mongodb' && query.materialize) throw notInMongodb('package')
  const names = resources.map((resource) => resource.name)
  const problems: string[] = []
  const tables: Table[] = []
  for (const [index, { name, schema }] of resources.entries()) {
    const addProblem = (problem: string) => problems.push(resourcePlace(name) + problem)
    if (!isTableName(name)) addProblem(tableNameRule)
    else if (names.indexOf(name) !== index) addProblem('another resource of the package has this name')
    else if (catalog.tables.has(name)) addProblem('a datatable of this name already exists in this app')
    else {
      const table = draftTable(catalog, datasource, { name, schema, distinct })
      if ('problems' in table) table.problems.forEach(addProblem)
      else tables.push(table)
    }
  }
  if (problems.length > 0) throw invalidSchema(problems)
  for (const table of tables) requireQuotas(ctx.config, table)
  return { datasource, tables }
}

const resourcePlace = (name: string) => `resource ${JSON.stringify(name)}: `

const defaultDatasource = {
  name: 'Main',
  slug: 'main',
  provider_type: 'flat_table',
  provider_config: {},
  description: '',
} as const

/**
 * Finds the datasource of a package. If the app has none, returns a new one: `main`, or `main-2` if that is
 * taken.
 */
function datasourceFor(
  catalog: Catalog,
  slug: string | undefined,
): { slug: string; providerType: string; isNew: boolean } {
  const found = catalog.datasources.find((datasource) =>
    slug === undefined ? datasource.providerType === 'flat_table' : datasource.slug === slug,
  )
  if (found) return { ...found, isNew: false }
  if (slug !== undefined) throw unknownDatasource(slug)
  const taken = new Set(catalog.datasources.map((datasource) => datasource.slug))
  let free: string = defaultDatasource.slug
  for (let number = 2; taken.has(free); number++) free = `${defaultDatasource.slug}-${number}`
  return { slug: free, providerType: defaultDatasource.provider_type, isNew: true }
}
