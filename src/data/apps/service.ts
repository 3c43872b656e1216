/** Apps: what groups a site's datasources and tables. Spec: Apps, datasources, datatables. */
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import { inTenant, signedIn } from '../../db/tenant.ts'
import { notFound } from '../../errors.ts'
import { offsetOf, type Page, type PageQuery, pageOf } from '../../http/paging.ts'
import { slugOf } from '../../lib/slug.ts'
import { appExists, nameGivesNoSlug } from './errors.ts'
import type { App, AppInput, AppListItem } from './schema.ts'
import { countApps, insertApp, selectApp, selectApps } from './store.ts'
import { type AppRow, asApp, asListItem } from './views.ts'

export async function listApps(ctx: RequestContext, url: string, query: PageQuery): Promise<Page<AppListItem>> {
  const { results } = await inTenant(ctx, 'read', [countApps, selectApps(query.page_size, offsetOf(query))])
  return pageOf(results, url, query, asListItem)
}

export async function readApp(ctx: RequestContext, slug: string): Promise<App> {
  const { results } = await inTenant(ctx, 'read', [selectApp(slug)])
  const row = results.row<AppRow>()
  if (!row) throw notFound()
  return asApp(row)
}

/** D2: a new app has no datasource. */
export async function createApp(ctx: RequestContext, { name, description }: AppInput): Promise<App> {
  const slug = slugOf(name)
  if (!slug) throw nameGivesNoSlug()
  try {
    const { results } = await inTenant(ctx, 'write', [insertApp(signedIn(ctx).userId, name, slug, description)])
    return asApp(results.one<AppRow>())
  } catch (error) {
    throw isViolationOf(error, '_apps_slug_key') ? appExists(slug) : error
  }
}
