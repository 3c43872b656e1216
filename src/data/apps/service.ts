/**
 * Manages apps, the groups of a site's datasources and tables. Spec: Apps, datasources, datatables; D1, D2.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { isViolationOf } from '../../kernel/db/failures.ts'
import { withKnownScopes } from '../../kernel/db/known-scopes.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { appNotFound, found, nameGivesNoSlug } from '../../kernel/errors.ts'
import { requireSame } from '../../kernel/http/fixed-members.ts'
import { type Page, pageOf } from '../../kernel/http/lists/envelopes.ts'
import { chooseSlug } from '../../kernel/lib/slug.ts'
import { rejectGuard } from '../../runtime/functions/service.ts'
import { planOf, withCatalog } from '../catalog/catalog.ts'
import { requireNoneOutsideApp } from '../catalog/deletion.ts'
import { remakeViews } from '../guests/remake.ts'
import { remakeActive } from '../guests/remake-active.ts'
import { appExists } from './errors.ts'
import type { App, AppChange, AppInput, AppListItem, AppStats, AppsQuery } from './schema.ts'
import * as store from './store.ts'
import { asApp, asListItem, asStats } from './views.ts'

/** Lists the apps of a site; with an API key, those that its scopes name. */
export async function listApps(
  ctx: RequestContext,
  url: string,
  query: AppsQuery,
): Promise<Page<AppListItem>> {
  const page = await withKnownScopes(ctx, (known) =>
    inTenant(
      ctx,
      'read',
      store.selectApps(
        query,
        known?.scopes.map(({ app }) => app),
      ),
    ),
  )
  return pageOf(page, url, store.list, query, asListItem)
}

/** Reads an app. Throws 404 if it does not exist or is inactive. */
export async function readApp(ctx: RequestContext, slug: string): Promise<App> {
  const { app } = await inTenant(ctx, 'read', { app: store.selectApp(slug) })
  return asApp(found(app.first, () => appNotFound(slug)))
}

/** Counts the datasources and tables of an app. Throws 404 if it does not exist or is inactive. */
export const readAppStats = (ctx: RequestContext, slug: string): Promise<AppStats> =>
  withCatalog(ctx, slug, 'read', (catalog) => planOf({ statements: {}, finish: () => asStats(catalog) }))

/**
 * Creates an app without datasources. Throws 400 if its slug is taken or cannot be made from the name, and
 * 422 if the site has too many apps. D2.
 */
export async function createApp(ctx: RequestContext, input: AppInput): Promise<App> {
  const { name, description } = input
  const { slug, field } = chooseSlug(input)
  if (!slug) throw nameGivesNoSlug()
  try {
    const statements = {
      app: store.insertApp(requireCaller(ctx).userId, name, slug, description),
      quota: store.requireAppQuota(ctx.config),
    }
    const { app } = await inTenant(ctx, 'write', statements, { keeps: true })
    return asApp(app.one)
  } catch (error) {
    throw isViolationOf(error, '_apps_slug_key') ? appExists(slug, field) : error
  }
}

/**
 * Changes the name and the description of an app. Throws 404 if it does not exist or is inactive, and 400 for
 * another value of a fixed member.
 */
export async function changeApp(ctx: RequestContext, slug: string, change: AppChange): Promise<App> {
  const statements = {
    same: requireSame(change, store.selectApp(slug)),
    app: store.updateApp(requireCaller(ctx).userId, slug, change),
  }
  const { app } = await inTenant(ctx, 'write', statements, { keeps: true })
  return asApp(found(app.first, () => appNotFound(slug)))
}

/**
 * Deactivates an app with its datasources and tables. Throws 404 if it does not exist or is inactive, and 409
 * if one of its functions guards an event, or, without `force`, if tables of other apps reference its tables.
 */
export const deleteApp = (ctx: RequestContext, slug: string, force: boolean): Promise<void> =>
  withCatalog(ctx, slug, 'schema', (catalog) => {
    if (!force) requireNoneOutsideApp(catalog)
    return planOf({
      statements: {
        // Otherwise a table that is deleted while the app is inactive could not be dropped.
        ...remakeViews(catalog, { withdrawn: [...catalog.tables.values()] }),
        app: store.deactivateApp(requireCaller(ctx).userId, slug),
      },
      finish({ app }) {
        found(app.first, () => appNotFound(slug))
      },
    })
  }).catch(rejectGuard)

/** Activates an app with everything that its deletion deactivated. Throws 404 if it does not exist. */
export async function restoreApp(ctx: RequestContext, slug: string): Promise<{ message: string }> {
  const statements = { app: store.activateApp(requireCaller(ctx).userId, slug) }
  const { app } = await inTenant(ctx, 'write', statements, { keeps: true })
  const { name } = found(app.first, () => appNotFound(slug))
  await remakeActive(ctx, slug)
  return { message: `App "${name}" has been restored.` }
}
