/** API keys: each of a user and for a site, shown once. A4. */
import type { RequestContext } from '../../context.ts'
import { requireOwnSignIn } from '../../db/caller.ts'
import { onTenantSite, signedIn } from '../../db/tenant.ts'
import { notFound } from '../../errors.ts'
import { offsetOf, type Page, type PageQuery, pageOf } from '../../http/paging.ts'
import { newKey } from './key.ts'
import type { ApiKey, ApiKeyInput, NewApiKey } from './schema.ts'
import * as store from './store.ts'

export async function listKeys(ctx: RequestContext, url: string, query: PageQuery): Promise<Page<ApiKey>> {
  const { userId } = signedIn(ctx)
  const results = await onTenantSite(ctx, 'access_site', [
    store.countKeys(ctx.tenant, userId),
    store.selectKeys(ctx.tenant, userId, query.page_size, offsetOf(query)),
  ])
  return pageOf(results, url, query, (key: ApiKey) => key)
}

export async function createKey(ctx: RequestContext, input: ApiKeyInput): Promise<NewApiKey> {
  const made = newKey()
  const results = await onTenantSite(ctx, 'access_site', [requireOwnSignIn(signedIn(ctx)), store.insertKey(ctx.tenant, signedIn(ctx), input, made)])
  const { id, name, prefix, created_at, expires_at } = results.one<ApiKey>(1)
  return { id, name, prefix, key: made.key, created_at, expires_at }
}

export async function deleteKey(ctx: RequestContext, id: number): Promise<void> {
  const results = await onTenantSite(ctx, 'access_site', [requireOwnSignIn(signedIn(ctx)), store.deleteKey(ctx.tenant, signedIn(ctx).userId, id)])
  if (!results.row(1)) throw notFound()
}
