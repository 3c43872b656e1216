/** Manages datasources: where and how an app stores its tables. Spec: Datasource; D1, D2, D11. */
import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { isViolationOf } from '../../kernel/db/failures.ts'
import { found } from '../../kernel/errors.ts'
import { requireSame } from '../../kernel/http/fixed-members.ts'
import { type BareList, bareListOf } from '../../kernel/http/lists/envelopes.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { requireNoneOutsideDatasource } from '../catalog/deletion.ts'
import { datasourceNotFound } from '../catalog/errors.ts'
import { datasourceOf } from '../catalog/find-table.ts'
import type { Catalog } from '../catalog/load-catalog.ts'
import { remakeViews } from '../guests/remake.ts'
import { remakeActive } from '../guests/remake-active.ts'
import { datasourceExists, unchangeable } from './errors.ts'
import { tryConnection } from './mongodb.ts'
import type {
  Datasource,
  DatasourceChange,
  DatasourceInput,
  DatasourceListItem,
  DatasourceStats,
  DatasourcesQuery,
} from './schema.ts'
import * as store from './store.ts'
import { asDatasource, asListItem, asStats } from './views.ts'

/** The address of a datasource: the slugs of its app and its own. */
export interface DatasourcePath {
  app: string
  datasource: string
}

/** Lists the datasources of an app. */
export const listDatasources = (
  ctx: RequestContext,
  app: string,
  query: DatasourcesQuery,
): Promise<BareList<DatasourceListItem>> =>
  withCatalog(ctx, app, 'read', (catalog) =>
    planOf({
      statements: store.selectDatasources(catalog.app.id, query),
      finish: (page) => bareListOf(page, asListItem),
    }),
  )

/** Reads a datasource. Throws 404 if it does not exist or is inactive. */
export const readDatasource = (ctx: RequestContext, path: DatasourcePath): Promise<Datasource> =>
  withCatalog(ctx, path.app, 'read', (catalog) =>
    planOf({
      statements: {
        row: store.selectDatasource(catalog.app.id, datasourceOf(catalog, path.datasource).slug),
      },
      finish: ({ row }) => asDatasource(row.one),
    }),
  )

/** Counts the tables of a datasource. Throws 404 if it does not exist or is inactive. */
export const readDatasourceStats = (ctx: RequestContext, path: DatasourcePath): Promise<DatasourceStats> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const datasource = datasourceOf(catalog, path.datasource)
    return planOf({ statements: {}, finish: () => asStats(catalog, datasource) })
  })

/**
 * Creates a datasource. Throws 400 if the slug is taken, and for wrong settings of one in MongoDB, and
 * 422 with the reason if that cannot be used.
 */
export async function createDatasource(
  ctx: RequestContext,
  app: string,
  input: DatasourceInput,
): Promise<Datasource> {
  if (input.provider_type === 'mongodb') await tryConnection(ctx, app, input.provider_config)
  return withCatalog(
    ctx,
    app,
    'write',
    (catalog) =>
      planOf({
        statements: { row: store.insertDatasource(requireCaller(ctx).userId, catalog.app.id, input) },
        finish: ({ row }) => asDatasource(row.one),
        errorOf: (failure) =>
          isViolationOf(failure, '_datasources_app_id_slug_key') ? datasourceExists(input.slug) : undefined,
      }),
    ({ row }) => ({ result: asDatasource(row.one) }),
  )
}

/**
 * Changes a datasource. Throws 404 for an inactive one, unless the change activates it, and 400 if the change
 * has another slug, provider or value of a fixed member. One that deactivates it throws as a deletion. D2,
 * D18.
 */
export async function changeDatasource(
  ctx: RequestContext,
  path: DatasourcePath,
  change: DatasourceChange,
  force: boolean,
): Promise<Datasource> {
  if (change.provider_config && (await isInMongodb(ctx, path)))
    await tryConnection(ctx, path.app, change.provider_config)
  const { row, isActivated } = await withCatalog(
    ctx,
    path.app,
    'schema',
    (catalog) => {
      const isWithdrawn = withdraws(change, catalog, path.datasource)
      if (isWithdrawn && !force) requireNoneOutsideDatasource(catalog, path.datasource)
      const { dropped, created } = isWithdrawn
        ? withdraw(catalog, path.datasource)
        : { dropped: [], created: [] }
      return planOf({
        statements: {
          same: requireSame(change, store.selectDatasource(catalog.app.id, path.datasource)),
          dropped,
          changed: store.updateDatasource(requireCaller(ctx).userId, catalog.app.id, path.datasource, change),
          created,
          datasource: store.selectDatasource(catalog.app.id, path.datasource),
        },
        finish({ changed, datasource }) {
          const missing = () => datasourceNotFound(path.datasource, path.app)
          const row = found(datasource.first, missing)
          const isChanged = changed.first !== undefined
          if (!isChanged && !row.is_active && !change.is_active) throw missing()
          if (!isChanged)
            throw unchangeable(
              (['slug', 'provider_type'] as const).filter(
                (field) => (change[field] ?? row[field]) !== row[field],
              ),
            )
          const wasActive = catalog.datasources.some(({ slug }) => slug === path.datasource)
          return { row, isActivated: row.is_active && !wasActive }
        },
      })
    },
    // The request before it may have ended before the views were made.
    ({ changed, datasource: { first: row } }) =>
      changed.first && row && { result: { row, isActivated: change.is_active === true } },
  )
  if (isActivated) await remakeActive(ctx, path.app)
  return asDatasource(row)
}

/** Tells whether a change concerns a datasource in MongoDB. */
const isInMongodb = (ctx: RequestContext, { app, datasource }: DatasourcePath): Promise<boolean> =>
  withCatalog(ctx, app, 'read', ({ datasources }) =>
    planOf({
      statements: {},
      finish: () =>
        datasources.some(({ slug, providerType }) => slug === datasource && providerType === 'mongodb'),
    }),
  )

/**
 * Deactivates a datasource and its tables. Throws 404 if it does not exist or is inactive, and, without
 * `force`, 409 if tables outside reference its tables. D2, D18.
 */
export const deleteDatasource = (ctx: RequestContext, path: DatasourcePath, force: boolean): Promise<void> =>
  withCatalog(ctx, path.app, 'schema', (catalog) => {
    if (!force) requireNoneOutsideDatasource(catalog, path.datasource)
    const { dropped, created } = withdraw(catalog, path.datasource)
    return planOf({
      statements: {
        dropped,
        row: store.deactivateDatasource(requireCaller(ctx).userId, catalog.app.id, path.datasource),
        created,
      },
      finish({ row }) {
        found(row.first, () => datasourceNotFound(path.datasource, path.app))
      },
    })
  })

/**
 * Returns the statements around those that make a datasource inactive. Afterwards no view or function of
 * guests reads its tables, so a table that is deleted meanwhile can be dropped.
 */
const withdraw = (catalog: Catalog, slug: string) =>
  remakeViews(catalog, {
    withdrawn: [...catalog.tables.values()].filter(
      ({ datasource, source }) => source === null && datasource.slug === slug,
    ),
  })

/** Tells whether a change of a datasource is accepted and ends its activity. */
function withdraws(change: DatasourceChange, catalog: Catalog, slug: string): boolean {
  const active = catalog.datasources.find((datasource) => datasource.slug === slug)
  return (
    active !== undefined &&
    change.is_active === false &&
    (change.slug ?? slug) === slug &&
    (change.provider_type ?? active.providerType) === active.providerType
  )
}
