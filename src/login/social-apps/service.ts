/** Social apps: the providers that people sign in to a site with. Spec: Social apps; S1–S3. */
import type { RequestContext } from '../../context.ts'
import { isViolationOf } from '../../db/failures.ts'
import { inTenant, signedIn } from '../../db/tenant.ts'
import { found, invalidFields } from '../../errors.ts'
import { pageNumber, partOf } from '../../http/lists/range.ts'
import { log } from '../../lib/log.ts'
import { inVault, prepare, untilItHolds, withKeys } from '../../secrets/vault/service.ts'
import { discover } from '../exchange/discovery.ts'
import { reasonOf } from '../exchange/errors.ts'
import { hasOwnId, providerOf } from '../providers/registry.ts'
import { openCredential, sealCredentials } from './credentials.ts'
import { appExists, appInUse } from './errors.ts'
import { problemsOf } from './rules.ts'
import {
  mask,
  type SocialApp,
  type SocialAppChange,
  type SocialAppDeleted,
  type SocialAppInput,
  type SocialAppSaved,
  type SocialAppsPage,
  type SocialAppsQuery,
} from './schema.ts'
import * as store from './store.ts'
import { asListItem, asSocialApp, isConfigured } from './views.ts'

/** For anybody, so that a page can show whom to sign in with. Beyond the last page there is nothing. */
export async function listSocialApps(ctx: RequestContext, query: SocialAppsQuery): Promise<SocialAppsPage> {
  const part = partOf(query, store.list)
  const { results } = await inTenant(ctx, 'read', store.selectApps(query))
  const { count } = results.one<{ count: number }>(0)
  return {
    success: true,
    message: 'Social apps retrieved successfully.',
    data: results.rows<store.SocialAppRow>(1).map(asListItem),
    total: count,
    page: pageNumber(part),
    page_size: part.limit,
    total_pages: Math.max(1, Math.ceil(count / part.limit)),
  }
}

export interface LoginOptions {
  siteName: string
  /** Those that people can sign in with, the oldest first. */
  apps: { handle: string; provider: string; name: string; icon: string; autoRedirect: boolean }[]
}

/** What the login page shows. */
export async function readLoginOptions(ctx: RequestContext): Promise<LoginOptions> {
  const asService = { site: store.selectSiteName(ctx.tenant.host, ctx.tenant.slug) }
  const { site, apps } = await inTenant(ctx, 'read', { apps: store.selectAllApps }, { asService })
  return {
    siteName: site.one.name,
    apps: apps.all.filter(isConfigured).map(({ handle, provider, name, settings }) => ({
      handle,
      provider,
      name,
      icon: settings.icon ?? '',
      autoRedirect: settings.auto_redirect ?? false,
    })),
  }
}

export const readSocialApp = (ctx: RequestContext, id: number): Promise<SocialApp> =>
  withKeys(async () => {
    const { keys, owns, results } = await inVault(ctx, 'read', { app: store.selectApp(id) })
    const row = found(results.app.first)
    const key = await openCredential(ctx.config, keys, row, 'key')
    return asSocialApp(row, owns || key === '' ? key : mask)
  })

/** Two round trips: the keys to encrypt with are read first. Between them the provider's discovery document is. */
export const createSocialApp = (ctx: RequestContext, input: SocialAppInput): Promise<SocialAppSaved> =>
  untilItHolds(async () => {
    const vault = await inVault(ctx, 'read', {})
    const app = { ...input, provider_id: hasOwnId(input.provider) ? input.provider_id : '' }
    refuseWrong(problemsOf(ctx.config, app))
    const prepared = await prepare(ctx, vault, true)
    const uid = crypto.randomUUID()
    const sealed = await sealCredentials(ctx.config, prepared.keys ?? vault.keys, { uid, version: 1 }, app)
    const made = store.insertApp(signedIn(ctx).userId, { ...app, ...sealed, uid, issuer: await issuerOf(ctx, app) })
    const { results } = await inVault(ctx, 'write', { made }, prepared).catch(refuseTaken(app))
    // The one time that the secret is shown.
    return { success: true, message: 'Social app created successfully.', data: asSocialApp(results.made.one, app.key, app.secret) }
  })

export const changeSocialApp = (ctx: RequestContext, id: number, change: SocialAppChange): Promise<SocialAppSaved> =>
  untilItHolds(async () => {
    const vault = await inVault(ctx, 'read', { app: store.selectApp(id) })
    const row = found(vault.results.app.first)
    const { secret, key, ...rest } = change
    const merged = { ...row, ...rest }
    const app = { ...merged, provider_id: hasOwnId(merged.provider) ? merged.provider_id : '' }
    refuseWrong(problemsOf(ctx.config, app))

    const kept = { secret: secret === undefined || secret === mask, key: key === undefined || key === mask }
    const anew = !kept.secret || !kept.key
    const prepared = await prepare(ctx, vault, anew)
    const open = (name: 'secret' | 'key') => openCredential(ctx.config, vault.keys, row, name)
    const credentials = { secret: kept.secret ? '' : (secret ?? ''), key: kept.key ? await open('key') : (key ?? '') }
    if (anew && kept.secret) credentials.secret = await open('secret')
    const sealed = prepared.keys && (await sealCredentials(ctx.config, prepared.keys, { uid: row.uid, version: row.version + 1 }, credentials))
    const moved = app.provider !== row.provider || app.settings.server_url !== row.settings.server_url
    const issuer = moved || row.issuer === null ? await issuerOf(ctx, app) : row.issuer
    const update = store.updateApp(signedIn(ctx).userId, row, { ...app, issuer }, sealed)
    const { results } = await inVault(ctx, 'write', { changed: update }, prepared).catch(refuseTaken(app))
    const changed = results.changed.first
    return changed && { success: true, message: 'Social app updated successfully.', data: asSocialApp(changed, credentials.key) }
  })

/** Counts its users in the same transaction, so that nobody begins to use an app that is being deleted. */
export async function deleteSocialApp(ctx: RequestContext, id: number): Promise<SocialAppDeleted> {
  const statements = { app: store.selectApp(id), deleted: store.deleteApp(id) }
  const asService = { held: store.holdApp(ctx.tenant.host, ctx.tenant.slug, id) }
  const { held, app } = await inTenant(ctx, 'write', statements, { asService })
  const { name } = found(app.first)
  const { users } = held.one
  if (users > 0) throw appInUse(name, users)
  return { success: true, message: `The social app "${name}" has been deleted.` }
}

/** Of the discovery document; null where there is none, or none that is right: then the app is not configured. S3. */
async function issuerOf(ctx: RequestContext, app: Pick<store.SocialAppRow, 'provider' | 'settings'>): Promise<string | null> {
  const provider = providerOf(app)
  if (provider.code !== 'openid_connect' || provider.protocol !== 'openid') return null
  try {
    return (await discover(ctx.config, provider, app.settings.server_url, { anew: true })).issuer
  } catch (error) {
    log({ level: 'warn', request_id: ctx.requestId, provider: app.provider, refused: reasonOf(error) })
    return null
  }
}

function refuseWrong(problems: Record<string, string[]>): void {
  if (Object.keys(problems).length > 0) throw invalidFields(problems)
}

const refuseTaken = (app: { provider: string; provider_id: string }) => (error: unknown) => {
  if (!isViolationOf(error, '_social_apps_handle_key')) throw error
  throw app.provider_id ? appExists('provider_id', app.provider_id) : appExists('provider', app.provider)
}
