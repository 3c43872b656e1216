/** The keys with which the directory of an organization calls SCIM. */
import { newKey } from '../../../kernel/access/api-keys/key.ts'
import { requireFreshSignIn } from '../../../kernel/access/fresh-sign-in.ts'
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { DatabaseFailure, sqlstates } from '../../../kernel/db/failures.ts'
import { inOrganization } from '../../../kernel/db/platform.ts'
import { found } from '../../../kernel/errors.ts'
import { type Page, pageOf } from '../../../kernel/http/lists/envelopes.ts'
import { managers } from '../../organizations/service.ts'
import { tooManyKeys } from './errors.ts'
import type { NewScimKey, ScimKey, ScimKeyInput, ScimKeysQuery } from './schema.ts'
import * as store from './store.ts'

/** Lists the keys of an organization, for its owners and admins. Throws 403 for others. */
export async function listKeys(
  ctx: RequestContext,
  organization: string,
  url: string,
  query: ScimKeysQuery,
): Promise<Page<ScimKey>> {
  const answers = await inOrganization(ctx, organization, managers, store.selectKeys(organization, query))
  return pageOf(answers, url, store.list, query, (key) => key)
}

/**
 * Creates a key and returns it. It is never shown again. Throws 403 without a fresh sign-in and for others
 * than owners and admins, and 400 if the organization has five keys.
 */
export async function createKey(
  ctx: RequestContext,
  organization: string,
  { name }: ScimKeyInput,
): Promise<NewScimKey> {
  requireFreshSignIn(ctx)
  const { key, prefix, hash } = newKey('directory')
  const { created } = await inOrganization(ctx, organization, managers, {
    added: store.addKey(organization, requireCaller(ctx).userId, name, prefix, hash),
    created: store.selectKey(hash),
  }).catch((error: unknown) => {
    const isFull = error instanceof DatabaseFailure && error.sqlstate === sqlstates.tooManyKeys
    throw isFull ? tooManyKeys() : error
  })
  const { last_used_at: _never, ...row } = created.one
  return { ...row, key }
}

/**
 * Deletes a key, so that requests with it are rejected from then on. Throws 404, and 403 as `createKey` does.
 */
export async function deleteKey(ctx: RequestContext, organization: string, id: number): Promise<void> {
  requireFreshSignIn(ctx)
  const { deleted } = await inOrganization(ctx, organization, managers, {
    deleted: store.deleteKey(organization, id),
  })
  found(deleted.first)
}
