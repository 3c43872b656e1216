/** Reading secrets: one by its key, several by theirs, a list. Spec: Secrets, rules 1, 2 and 5; K3, K5, K7, K9. */
import type { RequestContext } from '../../context.ts'
import { signedIn } from '../../db/tenant.ts'
import { type AppError, forbidden, unauthenticated } from '../../errors.ts'
import { asItems, type ItemsPage, pageOf } from '../../http/lists/envelopes.ts'
import { type Lookup, lookUp } from '../cache/lookup.ts'
import type { Asked, CachedSecret } from '../cache/secret-cache.ts'
import { inVault, type Vault, withKeys } from '../vault/service.ts'
import { decide, type Verdict } from './decide.ts'
import { secretNotFound, tagsMissing } from './errors.ts'
import type { ReadQuery, Secret, SecretsByKey, SecretsQuery } from './schema.ts'
import * as store from './store.ts'
import { openValue } from './values.ts'
import { asByKey, asSecret } from './views.ts'

/** Public ones are for anybody. */
export async function readSecret(ctx: RequestContext, key: string, { app, tags = [] }: ReadQuery): Promise<Secret> {
  const asked: Asked = { key, app, tags: tags.length > 0 ? tags : null }
  const lookup = await lookUp(ctx, asked)
  if (!lookup.taken) return readStored(ctx, asked, lookup)
  if (lookup.taken.verdict !== 'show') throw refusals[lookup.taken.verdict](asked)
  return (await openCached(ctx, lookup.taken.secret)) ?? readStored(ctx, asked, lookup)
}

/** What is not shown, by verdict. */
const refusals: Readonly<Record<Exclude<Verdict, 'show'>, (asked: Asked) => AppError>> = {
  unauthenticated,
  forbidden,
  unknown: ({ key, app }) => secretNotFound(key, app),
  untagged: ({ key, tags }) => tagsMissing(key, tags ?? []),
}

/** Undefined when the keys have changed since it was kept: it is read anew then. */
async function openCached(ctx: RequestContext, { siteId, row, dataKey }: CachedSecret): Promise<Secret | undefined> {
  try {
    return asSecret(row, await openValue(ctx.config, { siteId, keys: dataKey ? [dataKey] : [] }, row))
  } catch {
    return undefined
  }
}

const readStored = (ctx: RequestContext, { key, app, tags }: Asked, lookup: Lookup): Promise<Secret> =>
  withKeys(async () => {
    const reader = ctx.caller && { userId: ctx.caller.userId, requestId: ctx.requestId }
    const vault = await inVault(ctx, 'write', { secret: store.selectForReading(key, app, tags, reader) })
    const row = vault.results.secret.first
    const verdict = decide(row, ctx.caller ? (vault.mayRead ? 'reader' : 'stranger') : 'anonymous', tags)
    if (verdict !== 'show' || !row) {
      lookup.remember(vault, null)
      throw refusals[verdict === 'show' ? 'unknown' : verdict]({ key, app, tags })
    }
    const secret = asSecret(row, await openValue(ctx.config, vault.keys, row))
    lookup.remember(vault, row.lasting ? row : null)
    return secret
  })

/** Each that is not public is noted as read. */
export const listSecrets = (ctx: RequestContext, url: string, query: SecretsQuery): Promise<ItemsPage<Secret>> =>
  withKeys(async () => {
    const vault = await inVault(ctx, 'write', store.selectSecrets(query, signedIn(ctx).userId, ctx.requestId))
    const page = pageOf(vault.results, url, store.list, query, (row: store.SecretRow) => row)
    return asItems({ ...page, results: await openAll(ctx, vault, page.results) })
  })

/** Unknown ones are left out. */
export const readSecrets = (ctx: RequestContext, keys: readonly string[], { app, include_metadata }: SecretsQuery): Promise<SecretsByKey> =>
  withKeys(async () => {
    const vault = await inVault(ctx, 'write', { secrets: store.selectByKeys(keys, app, signedIn(ctx).userId, ctx.requestId) })
    return asByKey(await openAll(ctx, vault, vault.results.secrets.all), include_metadata)
  })

const openAll = (ctx: RequestContext, vault: Vault, rows: readonly store.SecretRow[]): Promise<Secret[]> =>
  Promise.all(rows.map(async (row) => asSecret(row, await openValue(ctx.config, vault.keys, row))))
