/** Lists and reads datatables. Spec: Datatable; D12, D13. */

import type { RequestContext } from '../../kernel/context.ts'
import { type BareList, bareListOf } from '../../kernel/http/lists/envelopes.ts'
import { isAllowed } from '../../kernel/scopes.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { datasourceOf, type TablePath, tableOrAway } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import type { DatasourcePath } from '../datasources/service.ts'
import {
  describeRelationship,
  type Relationship,
  type Relationships,
  relationshipsOf,
} from '../model/relationships.ts'
import type { Table } from '../model/table.ts'
import { unknownDatasource } from './errors.ts'
import type {
  Datatable,
  DatatableListItem,
  DatatableStats,
  DatatablesQuery,
  DeletedQuery,
  SchemaView,
} from './schema.ts'
import { asStats } from './stats.ts'
import {
  selectDatatables,
  selectDatatablesByName,
  selectDeletedDatatables,
  type TableFilter,
} from './store.ts'
import { asDatatable, asDeletedItem, asListItem, asSchema, type DatatableRow } from './views.ts'

export { createDatatable } from './create.ts'
export { importReference } from './reference-tables/import.ts'

/**
 * Lists the datatables of an app, including references; with an API key, those that it may read. Throws 400
 * for an unknown datasource in the query.
 */
export const listDatatables = (
  ctx: RequestContext,
  app: string,
  query: DatatablesQuery,
): Promise<BareList<DatatableListItem>> =>
  list(ctx, app, query, (catalog) => {
    const datasource = catalog.datasources.find(({ slug }) => slug === query.datasource)
    if (query.datasource !== undefined && !datasource) throw unknownDatasource(query.datasource)
    return {
      datasourceId: datasource?.id ?? null,
      isMaterialized: query.is_materialized ?? null,
      isActive: query.is_active,
      names: namesInScope(catalog),
    }
  })

/** Lists the datatables of a datasource. Throws 404 for an unknown or inactive datasource. */
export const listDatatablesIn = (
  ctx: RequestContext,
  path: DatasourcePath,
  query: DeletedQuery,
): Promise<BareList<DatatableListItem>> =>
  list(ctx, path.app, query, (catalog) => ({
    datasourceId: datasourceOf(catalog, path.datasource).id,
    isMaterialized: null,
    isActive: true,
    names: null,
  }))

/** Returns the names of the tables that the request's API key may read. Null: it has no scopes. */
const namesInScope = ({ app, tables, scopes }: Catalog): string[] | null =>
  scopes ? [...tables.keys()].filter((name) => isAllowed(scopes.known.scopes, app.slug, name, 'read')) : null

/** Lists datatables, or with `deleted` those that can be restored. D17. */
const list = (
  ctx: RequestContext,
  app: string,
  query: DeletedQuery,
  filterOf: (catalog: Catalog) => TableFilter,
): Promise<BareList<DatatableListItem>> =>
  query.deleted
    ? withCatalog(ctx, app, 'read', (catalog) =>
        planOf({
          statements: selectDeletedDatatables(catalog.app.id, filterOf(catalog), query),
          finish: (page) => bareListOf(page, asDeletedItem),
        }),
      )
    : withCatalog(ctx, app, 'read', (catalog) =>
        planOf({
          statements: selectDatatables(catalog.app.id, filterOf(catalog), query),
          finish: (page) => bareListOf(page, asListItem),
        }),
      )

/** Counts the datatables of an app. */
export const readDatatableStats = (ctx: RequestContext, app: string): Promise<DatatableStats> =>
  withCatalog(ctx, app, 'read', (catalog) => planOf({ statements: {}, finish: () => asStats(catalog) }))

/** Reads a datatable. Throws 404 if it does not exist. */
export const readDatatable = (ctx: RequestContext, path: TablePath): Promise<Datatable> =>
  readTable(ctx, path, asDatatable)

/** Reads the schema of a datatable. Throws 404 if it does not exist. */
export const readSchema = (ctx: RequestContext, path: TablePath): Promise<SchemaView> =>
  readTable(ctx, path, asSchema)

const readTable = <View>(
  ctx: RequestContext,
  path: TablePath,
  view: (row: DatatableRow) => View,
): Promise<View> =>
  withCatalog(ctx, path.app, 'read', (catalog) =>
    planOf({
      statements: { datatable: selectDatatablesByName(catalog.app.id, [tableOrAway(catalog, path).name]) },
      finish: ({ datatable }) => view(datatable.one),
    }),
  )

/** Describes the materialized tables of an app, for its OpenAPI document. W3. */
export const describeTables = (ctx: RequestContext, app: string) =>
  withCatalog(ctx, app, 'read', (catalog) =>
    planOf({
      statements: {},
      finish: () => ({
        name: catalog.app.name,
        tables: [...catalog.tables.values()]
          .filter((table) => table.isMaterialized)
          .map((table) => describeTable(table, relationshipsOf(catalog.relationships, table))),
      }),
    }),
  )

function describeTable(table: Table, { all }: Relationships) {
  const { name, source, schema, schemaHash, fields, identity, graph } = table
  const withDefault = [...fields.values()].filter(
    (field) => field.default !== undefined || field === identity,
  )
  const edges = graph && { key: graph.key.schema, types: graph.types.map((type) => type.name) }
  return {
    name,
    isReference: source !== null,
    schema,
    schemaHash,
    filled: new Set(withDefault.map((field) => field.name)),
    followed: all.map((one) => describeRelationship(table, one)),
    edges,
    relationships: all.filter(isCreatable).map(({ name: member, to, target, pairs }) => ({
      name: member,
      to,
      target: target.name,
      fields: pairs.map(({ near, far }) => (to === 'one' ? near : far).name),
    })),
  }
}

/** Tells whether new records can be nested in a record. */
const isCreatable = ({ junction, target }: Relationship): boolean => !junction && target.source === null
