/** The versions of a function: its code and settings after each change, and their restoration. */
import type { RequestContext } from '../../../kernel/context.ts'
import { requireCaller } from '../../../kernel/db/entering.ts'
import { inTenant } from '../../../kernel/db/tenant.ts'
import { found } from '../../../kernel/errors.ts'
import { type Page, pageOf } from '../../../kernel/http/lists/envelopes.ts'
import { inTenantWithKeys } from '../../../secrets/tenant-keys/service.ts'
import { headersElsewhere, secretsNotReadable, versionNotFound } from '../errors.ts'
import { originOf } from '../function-secrets.ts'
import { missingFunction } from '../missing-function.ts'
import type { FunctionRecord } from '../schema.ts'
import { selectFunction } from '../store.ts'
import { asFunction } from '../views.ts'
import type { FunctionVersion, FunctionVersionItem, VersionsQuery } from './schema.ts'
import * as store from './store.ts'

/** Returns a page of the versions of a function. Throws 404 if the app has no such function. */
export async function listVersions(
  ctx: RequestContext,
  app: string,
  slug: string,
  url: string,
  query: VersionsQuery,
): Promise<Page<FunctionVersionItem>> {
  const statements = { function: selectFunction(app, slug), ...store.selectVersions(app, slug, query) }
  const answers = await inTenant(ctx, 'read', statements)
  if (!answers.function.first) throw await missingFunction(ctx, app, slug)
  return pageOf(answers, url, store.list, query, (row) => row)
}

/** Returns a version with its code. Throws 404 if the function or the version does not exist. */
export async function readVersion(
  ctx: RequestContext,
  app: string,
  slug: string,
  number: number,
): Promise<FunctionVersion> {
  const { version, ...answers } = await inTenant(ctx, 'read', {
    function: selectFunction(app, slug),
    version: store.selectVersion(app, slug, number),
  })
  if (!answers.function.first) throw await missingFunction(ctx, app, slug)
  return found(version.first, () => versionNotFound(slug, number))
}

/**
 * Restores the code and the settings of a version, which creates a new version. Throws 404 as `readVersion`
 * does, 400 if its URL has another host and headers are stored, and 403 if the present or the restored
 * settings declare secrets and the caller may not read them.
 */
export async function restoreVersion(
  ctx: RequestContext,
  app: string,
  slug: string,
  number: number,
): Promise<FunctionRecord> {
  const { answers } = await inTenantWithKeys(ctx, 'write', {
    function: selectFunction(app, slug),
    version: store.selectVersion(app, slug, number),
    restored: store.restoreVersion(requireCaller(ctx).userId, app, slug, number),
  })
  if (!answers.function.first) throw await missingFunction(ctx, app, slug)
  const version = found(answers.version.first, () => versionNotFound(slug, number))
  const { headers, webhook_url } = answers.function.first
  const isElsewhere = originOf(webhook_url) !== originOf(version.settings.webhook_url)
  const refusal = isElsewhere && Object.keys(headers).length > 0 ? headersElsewhere : secretsNotReadable
  return asFunction(found(answers.restored.first, refusal))
}
