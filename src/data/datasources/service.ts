/** Datasources: where an app's tables are held, and by which provider. Spec: Datasource. */
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import { signedIn } from '../../db/tenant.ts'
import { notFound } from '../../errors.ts'
import { withCatalog } from '../catalog.ts'
import { providers } from '../providers/registry.ts'
import { datasourceExists, providerUnavailable } from './errors.ts'
import type { Datasource, DatasourceInput, DatasourceListItem } from './schema.ts'
import { insertDatasource, selectDatasource, selectDatasources } from './store.ts'
import { asDatasource, asListItem, type DatasourceRow } from './views.ts'

export const listDatasources = (ctx: RequestContext, app: string): Promise<DatasourceListItem[]> =>
  withCatalog(ctx, app, 'read', (catalog) => ({
    statements: [selectDatasources(catalog.app.id)],
    finish: (results) => results.rows<DatasourceRow>().map(asListItem),
  }))

export const readDatasource = (ctx: RequestContext, app: string, slug: string): Promise<Datasource> =>
  withCatalog(ctx, app, 'read', (catalog) => ({
    statements: [selectDatasource(catalog.app.id, slug)],
    finish(results) {
      const row = results.row<DatasourceRow>()
      if (!row) throw notFound()
      return asDatasource(row)
    },
  }))

export async function createDatasource(ctx: RequestContext, app: string, input: DatasourceInput): Promise<Datasource> {
  try {
    return await withCatalog(ctx, app, 'write', (catalog) => {
      if (!providers.has(input.provider_type)) throw providerUnavailable(input.provider_type, [...providers.keys()])
      return {
        statements: [insertDatasource(signedIn(ctx).userId, catalog.app.id, input)],
        finish: (results) => asDatasource(results.one<DatasourceRow>()),
      }
    })
  } catch (error) {
    throw isViolationOf(error, '_datasources_app_id_slug_key') ? datasourceExists(input.slug) : error
  }
}
