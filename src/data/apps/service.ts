/** Apps: what groups a site's datasources and tables. Spec: Apps, datasources, datatables; App; D1, D2. */
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import { inTenant, signedIn } from '../../db/tenant.ts'
import { found } from '../../errors.ts'
import { type Page, pageOf } from '../../http/lists/envelopes.ts'
import { chosenSlug } from '../../lib/slug.ts'
import { withCatalog } from '../catalog.ts'
import { appExists, nameGivesNoSlug } from './errors.ts'
import type { App, AppChange, AppListItem, AppStats, AppsQuery, NewApp } from './schema.ts'
import * as store from './store.ts'
import { type AppRow, asApp, asListItem, asStats } from './views.ts'

export async function listApps(ctx: RequestContext, url: string, query: AppsQuery): Promise<Page<AppListItem>> {
  const { results } = await inTenant(ctx, 'read', store.selectApps(query))
  return pageOf(results, url, store.list, query, asListItem)
}

export async function readApp(ctx: RequestContext, slug: string): Promise<App> {
  const { results } = await inTenant(ctx, 'read', [store.selectApp(slug)])
  return asApp(found(results.row<AppRow>()))
}

export const readAppStats = (ctx: RequestContext, slug: string): Promise<AppStats> =>
  withCatalog(ctx, slug, 'read', (catalog) => ({ statements: [], finish: () => asStats(catalog) }))

/** D2: a new app has no datasource. */
export async function createApp(ctx: RequestContext, input: NewApp): Promise<App> {
  const { name, description } = input
  const { slug, field } = chosenSlug(input)
  if (!slug) throw nameGivesNoSlug()
  try {
    const { results } = await inTenant(ctx, 'write', [store.insertApp(signedIn(ctx).userId, name, slug, description), store.holdApps(ctx.config)])
    return asApp(results.one<AppRow>())
  } catch (error) {
    throw isViolationOf(error, '_apps_slug_key') ? appExists(slug, field) : error
  }
}

export async function changeApp(ctx: RequestContext, slug: string, change: AppChange): Promise<App> {
  const { results } = await inTenant(ctx, 'write', [store.updateApp(signedIn(ctx).userId, slug, change)])
  return asApp(found(results.row<AppRow>()))
}

/** A soft delete: what the app has is inactive with it. */
export async function deleteApp(ctx: RequestContext, slug: string): Promise<void> {
  const { results } = await inTenant(ctx, 'write', [store.deactivateApp(signedIn(ctx).userId, slug)])
  found(results.row())
}

/** Brings back what its deletion took away; an app that is active already stays so. */
export async function restoreApp(ctx: RequestContext, slug: string): Promise<{ message: string }> {
  const { results } = await inTenant(ctx, 'write', [store.activateApp(signedIn(ctx).userId, slug)])
  return { message: `App "${found(results.row<{ name: string }>()).name}" has been restored.` }
}
