/** API keys: each of a user and for a site, shown once. A4. */
import type { RequestContext } from '../../context.ts'
import { requireOwnSignIn } from '../../db/caller.ts'
import { onTenantSite, signedIn } from '../../db/tenant.ts'
import { found } from '../../errors.ts'
import { type Page, pageOf } from '../../http/lists/envelopes.ts'
import { newKey } from './key.ts'
import type { ApiKey, ApiKeyInput, ApiKeysQuery, NewApiKey } from './schema.ts'
import * as store from './store.ts'

export async function listKeys(ctx: RequestContext, url: string, query: ApiKeysQuery): Promise<Page<ApiKey>> {
  const answers = await onTenantSite(ctx, 'access_site', store.selectKeys(ctx.tenant, signedIn(ctx).userId, query))
  return pageOf(answers, url, store.list, query, (key) => key)
}

export async function createKey(ctx: RequestContext, input: ApiKeyInput): Promise<NewApiKey> {
  const made = newKey()
  const { inserted } = await onTenantSite(ctx, 'access_site', {
    isAllowed: requireOwnSignIn(signedIn(ctx)),
    inserted: store.insertKey(ctx.tenant, signedIn(ctx), input, made),
  })
  const { id, name, prefix, created_at, expires_at } = inserted.one
  return { id, name, prefix, key: made.key, created_at, expires_at }
}

export async function deleteKey(ctx: RequestContext, id: number): Promise<void> {
  const { deleted } = await onTenantSite(ctx, 'access_site', {
    isAllowed: requireOwnSignIn(signedIn(ctx)),
    deleted: store.deleteKey(ctx.tenant, signedIn(ctx).userId, id),
  })
  found(deleted.first)
}
