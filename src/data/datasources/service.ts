/** Datasources: where an app's tables are held, and by which provider. Spec: Datasource; D1, D2, D11. */
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import { signedIn } from '../../db/tenant.ts'
import { found, notFound } from '../../errors.ts'
import { type Bare, bareOf } from '../../http/lists/envelopes.ts'
import { type Catalog, type Datasource as Known, withCatalog } from '../catalog.ts'
import { providers } from '../providers/registry.ts'
import { datasourceExists, providerUnavailable, unchangeable } from './errors.ts'
import type { Datasource, DatasourceChange, DatasourceInput, DatasourceListItem, DatasourceStats, DatasourcesQuery } from './schema.ts'
import * as store from './store.ts'
import { asDatasource, asListItem, asStats, type DatasourceRow } from './views.ts'

export interface DatasourcePath {
  app: string
  datasource: string
}

export const listDatasources = (ctx: RequestContext, app: string, query: DatasourcesQuery): Promise<Bare<DatasourceListItem>> =>
  withCatalog(ctx, app, 'read', (catalog) => ({
    statements: store.selectDatasources(catalog.app.id, query),
    finish: (results) => bareOf(results, asListItem),
  }))

export const readDatasource = (ctx: RequestContext, path: DatasourcePath): Promise<Datasource> =>
  withCatalog(ctx, path.app, 'read', (catalog) => ({
    statements: [store.selectDatasource(catalog.app.id, datasourceOf(catalog, path.datasource).slug)],
    finish: (results) => asDatasource(results.one<DatasourceRow>()),
  }))

export const readDatasourceStats = (ctx: RequestContext, path: DatasourcePath): Promise<DatasourceStats> =>
  withCatalog(ctx, path.app, 'read', (catalog) => {
    const datasource = datasourceOf(catalog, path.datasource)
    return { statements: [], finish: () => asStats(catalog, datasource) }
  })

export async function createDatasource(ctx: RequestContext, app: string, input: DatasourceInput): Promise<Datasource> {
  try {
    return await withCatalog(ctx, app, 'write', (catalog) => {
      if (!providers.has(input.provider_type)) throw providerUnavailable(input.provider_type, [...providers.keys()])
      return {
        statements: [store.insertDatasource(signedIn(ctx).userId, catalog.app.id, input)],
        finish: (results) => asDatasource(results.one<DatasourceRow>()),
      }
    })
  } catch (error) {
    throw isViolationOf(error, '_datasources_app_id_slug_key') ? datasourceExists(input.slug) : error
  }
}

/** An inactive one is found only by what makes it active. D2. */
export const changeDatasource = (ctx: RequestContext, path: DatasourcePath, change: DatasourceChange): Promise<Datasource> =>
  withCatalog(ctx, path.app, 'schema', (catalog) => ({
    statements: [
      store.updateDatasource(signedIn(ctx).userId, catalog.app.id, path.datasource, change),
      store.selectDatasource(catalog.app.id, path.datasource),
    ],
    finish(results) {
      const row = found(results.row<DatasourceRow>(1))
      const isChanged = results.row(0) !== undefined
      if (!isChanged && !row.is_active && !change.is_active) throw notFound()
      if (!isChanged) throw unchangeable((['slug', 'provider_type'] as const).filter((field) => (change[field] ?? row[field]) !== row[field]))
      return asDatasource(row)
    },
  }))

/** Deactivates it and its tables. D2. */
export const deleteDatasource = (ctx: RequestContext, path: DatasourcePath): Promise<void> =>
  withCatalog(ctx, path.app, 'schema', (catalog) => ({
    statements: [store.deactivateDatasource(signedIn(ctx).userId, catalog.app.id, path.datasource)],
    finish(results) {
      found(results.row())
    },
  }))

/** The active datasource of a slug, or the 404. */
export const datasourceOf = (catalog: Catalog, slug: string): Known => found(catalog.datasources.find((candidate) => candidate.slug === slug))
