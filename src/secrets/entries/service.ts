/**
 * Reads secrets: one by its key, several by their keys, or a list. Spec: Secrets, rules 1, 2 and 5; K3, K5,
 * K7, K9.
 */
import type { RequestContext } from '../../kernel/context.ts'
import { openDatabase } from '../../kernel/db/client.ts'
import { requireCaller } from '../../kernel/db/entering.ts'
import { asService } from '../../kernel/db/tenant.ts'
import type { Config } from '../../kernel/env.ts'
import { type AppError, forbidden, unauthenticated } from '../../kernel/errors.ts'
import { asItems, type ItemsPage, pageOf } from '../../kernel/http/lists/envelopes.ts'
import type { JsonObject } from '../../kernel/lib/json-object.ts'
import type { SiteKeys } from '../encryption/service.ts'
import { notFoundNamed, secretNotFound } from '../errors.ts'
import { requireApp, selectApp } from '../levels.ts'
import { inTenantWithKeys, type TenantWithKeys, withCurrentKeys } from '../tenant-keys/service.ts'
import { fillCaches, type Lookup, lookUp } from './cache/lookup.ts'
import type { CachedSecret, SecretRequest } from './cache/secret-cache.ts'
import { type Access, type Decision, decide } from './decide.ts'
import { tagsMissing } from './errors.ts'
import type { ReadQuery, Secret, SecretsByKey, SecretsQuery } from './schema.ts'
import * as store from './store.ts'
import { decryptValue } from './values.ts'
import { asByKey, asSecret } from './views.ts'

export { createSecret } from './change.ts'

/**
 * Returns the first match of a key: the secret of the app, or else that of the site. Everybody may see public
 * secrets. Throws 401, 403 or 404 as `decide` decides, and 500 if the value cannot be decrypted.
 */
export async function readSecret(
  ctx: RequestContext,
  key: string,
  { app, tags = [] }: ReadQuery,
): Promise<Secret> {
  const request: SecretRequest = { key, app, tags: tags.length > 0 ? tags : null }
  const lookup = await lookUp(ctx, request)
  if (!lookup.hit) return readStored(ctx, lookup)
  if (lookup.hit.decision !== 'show') throw errors[lookup.hit.decision](request)
  return (await decryptCached(ctx, lookup.hit.secret)) ?? readStored(ctx, lookup)
}

/** The errors of secrets that are not shown. */
const errors: Readonly<Record<Exclude<Decision, 'show'>, (request: SecretRequest) => AppError>> = {
  unauthenticated,
  forbidden,
  unknownApp: ({ app }) => notFoundNamed('App', app ?? ''),
  unknown: ({ key, app }) => secretNotFound(key, app),
  untagged: ({ key, tags }) => tagsMissing(key, tags ?? []),
}

/**
 * Decrypts a cached secret. Returns undefined if the master keys have changed since it was cached, so that it
 * must be read again.
 */
async function decryptCached(
  ctx: RequestContext,
  { siteId, row, dataKey }: CachedSecret,
): Promise<Secret | undefined> {
  try {
    return asSecret(row, await decryptValue(ctx.config, { siteId, keys: dataKey ? [dataKey] : [] }, row))
  } catch {
    return undefined
  }
}

/** Reads a secret from the database, and fills the caches. */
function readStored(ctx: RequestContext, lookup: Lookup): Promise<Secret> {
  const { key, app, tags } = lookup.request
  return withCurrentKeys(async () => {
    const reader = ctx.caller && { userId: ctx.caller.userId, requestId: ctx.requestId }
    const statements = { secret: store.selectForReading(key, app, tags, reader), app: selectApp(app) }
    const tenant = await inTenantWithKeys(ctx, 'write', statements)
    const row = tenant.answers.secret.first
    const hasApp = app === null || tenant.answers.app.first !== undefined
    const decision = decide(row, accessOf(ctx, tenant), tags, hasApp)
    if (decision !== 'show' || !row) {
      fillCaches(ctx, lookup, tenant, null)
      throw errors[decision === 'show' ? 'unknown' : decision](lookup.request)
    }
    const secret = asSecret(row, await decryptValue(ctx.config, tenant.keys, row))
    fillCaches(ctx, lookup, tenant, row)
    return secret
  })
}

function accessOf({ caller }: RequestContext, { mayRead }: TenantWithKeys): Access {
  if (!caller) return 'anonymous'
  return mayRead ? 'reader' : 'noAccess'
}

/**
 * Returns a page of secrets. Records the read of each secret that is not public. K7. Throws 404 for an
 * unknown app.
 */
export const listSecrets = (
  ctx: RequestContext,
  url: string,
  query: SecretsQuery,
): Promise<ItemsPage<Secret>> =>
  withCurrentKeys(async () => {
    const statements = store.selectSecrets(query, requireCaller(ctx).userId, ctx.requestId)
    const tenant = await inTenantWithKeys(ctx, 'write', { ...statements, app: selectApp(query.app) })
    requireApp(query.app, tenant.answers.app)
    const page = pageOf(tenant.answers, url, store.list, query, (row) => row)
    return asItems({ ...page, results: await decryptAll(ctx, tenant, page.results) })
  })

/** Returns the values of several secrets by key. Omits unknown keys. K5. Throws 404 for an unknown app. */
export const readSecrets = (
  ctx: RequestContext,
  keys: readonly string[],
  { app, include_metadata }: SecretsQuery,
): Promise<SecretsByKey> =>
  withCurrentKeys(async () => {
    const secrets = store.selectByKeys(keys, app, requireCaller(ctx).userId, ctx.requestId)
    const tenant = await inTenantWithKeys(ctx, 'write', { secrets, app: selectApp(app) })
    requireApp(app, tenant.answers.app)
    return asByKey(await decryptAll(ctx, tenant, tenant.answers.secrets.all), include_metadata)
  })

const decryptAll = (
  ctx: RequestContext,
  { keys }: TenantWithKeys,
  rows: readonly store.SecretRow[],
): Promise<Secret[]> =>
  Promise.all(rows.map(async (row) => asSecret(row, await decryptValue(ctx.config, keys, row))))

/** A secret that a run of a function gets. */
export interface RunSecret {
  key: string
  value: JsonObject
  isPublic: boolean
}

/**
 * Returns the secrets with these keys for a run of a function: those of the app, or else of the site. Omits
 * unknown keys. Rejects if one cannot be decrypted.
 */
export async function readForRun(
  config: Config,
  siteKeys: SiteKeys,
  keys: readonly string[],
  run: store.ReadingRun,
): Promise<RunSecret[]> {
  const statements = { secrets: store.selectForRun(keys, run) }
  const { secrets } = await asService(openDatabase(config), siteKeys.siteId, statements)
  return Promise.all(
    secrets.all.map(async (row) => ({
      key: row.key,
      value: await decryptValue(config, siteKeys, row),
      isPublic: row.ciphertext === null,
    })),
  )
}

/**
 * Returns the value of a secret for a datasource of an app: that of the app, or else of the site.
 * Undefined: there is none. `datasource` is its id; null: it is not made yet. Rejects if it cannot be
 * decrypted.
 */
export const readForDatasource = (
  ctx: RequestContext,
  key: string,
  app: string,
  datasource: number | null,
): Promise<JsonObject | undefined> =>
  withCurrentKeys(async () => {
    const reader = { userId: ctx.caller?.userId ?? null, datasource }
    const statements = { secrets: store.selectForDatasource(key, app, reader, ctx.requestId) }
    const { answers, keys } = await inTenantWithKeys(ctx, 'write', statements)
    const row = answers.secrets.first
    return row && decryptValue(ctx.config, keys, row)
  })

/** Returns the value of a secret as `readForDatasource` does, for work of the service itself. */
export async function readForService(
  config: Config,
  siteKeys: SiteKeys,
  { key, app, datasource }: { key: string; app: string; datasource: number },
): Promise<JsonObject | undefined> {
  const reader = { userId: null, datasource }
  const statements = { secrets: store.selectForDatasource(key, app, reader, 'events') }
  const { secrets } = await asService(openDatabase(config), siteKeys.siteId, statements)
  return secrets.first && decryptValue(config, siteKeys, secrets.first)
}
