/** API keys: each belongs to one user and one site. A4, X1. */
import type { RequestContext } from '../../context.ts'
import { requireOwnSignIn } from '../../db/caller.ts'
import { requireCaller } from '../../db/entering.ts'
import { inTenantSiteManagement } from '../../db/platform.ts'
import { found } from '../../errors.ts'
import { requireSame } from '../../http/fixed-members.ts'
import { type Page, pageOf } from '../../http/lists/envelopes.ts'
import { requireFreshSignIn, requireStepUp } from '../fresh-sign-in.ts'
import { keyHasExpired, keyIsReplaced } from './errors.ts'
import { keyHash, type NewKey, newKey } from './key.ts'
import type { ApiKey, ApiKeyChange, ApiKeyInput, ApiKeysQuery, NewApiKey, Rotation } from './schema.ts'
import * as store from './store.ts'

/** Lists the caller's keys for the site. Throws 403 without access to the site. */
export async function listKeys(ctx: RequestContext, url: string, query: ApiKeysQuery): Promise<Page<ApiKey>> {
  const answers = await inTenantSiteManagement(
    ctx,
    'access_site',
    store.selectKeys(ctx.tenant, requireCaller(ctx).userId, query),
  )
  return pageOf(answers, url, store.list, query, (key) => key)
}

/** Returns a key of the caller. Throws 404, and 403 without access to the site. */
export async function getKey(ctx: RequestContext, id: number): Promise<ApiKey> {
  const { key } = await inTenantSiteManagement(ctx, 'access_site', {
    key: store.selectKey(ctx.tenant, requireCaller(ctx).userId, id),
  })
  return found(key.first)
}

/**
 * Creates a key and returns it. It is never shown again. Throws 403 without access to the site and as
 * `requireOwnSignIn` does; for a key with scopes or addresses, as `requireFreshSignIn` does; and for other
 * keys, as `requireStepUp` does.
 */
export async function createKey(ctx: RequestContext, input: ApiKeyInput): Promise<NewApiKey> {
  if (input.scopes || input.allowed_addresses) requireFreshSignIn(ctx)
  else requireStepUp(ctx)
  const key = newKey('person')
  const { inserted } = await inTenantSiteManagement(ctx, 'access_site', {
    isAllowed: requireOwnSignIn(requireCaller(ctx)),
    inserted: store.insertKey(ctx.tenant, requireCaller(ctx), input, key),
  })
  return asNew(inserted.one, key)
}

/**
 * Changes a key of the caller. Throws 404, 400 for another value of a fixed member, 403 as `createKey` does,
 * and 409 if the change would give a key more time that was replaced already.
 */
export async function updateKey(ctx: RequestContext, id: number, change: ApiKeyChange): Promise<ApiKey> {
  requireFreshSignIn(ctx)
  const { userId } = requireCaller(ctx)
  const { state, updated } = await inTenantSiteManagement(ctx, 'access_site', {
    isAllowed: requireOwnSignIn(requireCaller(ctx)),
    same: requireSame(change, store.selectWithHash(ctx.tenant, userId, id), { key: storedHash }),
    state: store.selectKeyState(ctx.tenant, userId, id),
    updated: store.updateKey(ctx.tenant, userId, id, change),
  })
  found(state.first)
  if (!updated.first) throw keyIsReplaced()
  return updated.first
}

/** Returns the hash of a key as it is stored; another text for what is no key. */
const storedHash = (key: unknown): string =>
  (typeof key === 'string' ? keyHash('person', key) : undefined) ?? 'none'

/**
 * Replaces a key of the caller by a new one with the same rights, and returns the new one. It is never shown
 * again. The old key stays valid for some seconds. Throws 404, 403 as `createKey` does, and 409 for a key
 * that was replaced already or has ended, because the new key would end with it.
 */
export async function rotateKey(ctx: RequestContext, id: number, input: Rotation): Promise<NewApiKey> {
  requireFreshSignIn(ctx)
  const key = newKey('person')
  const { userId } = requireCaller(ctx)
  const { state, inserted } = await inTenantSiteManagement(ctx, 'access_site', {
    isAllowed: requireOwnSignIn(requireCaller(ctx)),
    state: store.selectKeyState(ctx.tenant, userId, id),
    inserted: store.rotateKey(ctx.tenant, userId, id, input, key),
  })
  const { is_replaced, has_expired } = found(state.first)
  if (inserted.first) return asNew(inserted.first, key)
  throw has_expired && !is_replaced ? keyHasExpired() : keyIsReplaced()
}

function asNew(inserted: ApiKey, { key }: NewKey): NewApiKey {
  const { id, name, prefix, created_at, expires_at, scopes, allowed_addresses } = inserted
  return {
    ...{ id, name, prefix, key, created_at, expires_at },
    ...(scopes ? { scopes } : {}),
    ...(allowed_addresses ? { allowed_addresses } : {}),
  }
}

/** Deletes a key of the caller. Throws 404, and 403 as `createKey` does. */
export async function deleteKey(ctx: RequestContext, id: number): Promise<void> {
  const { deleted } = await inTenantSiteManagement(ctx, 'access_site', {
    isAllowed: requireOwnSignIn(requireCaller(ctx)),
    deleted: store.deleteKey(ctx.tenant, requireCaller(ctx).userId, id),
  })
  found(deleted.first)
}
