/**
 * Reads in several sites of an organization in one transaction, which is one round trip: the statements of
 * each site run as its role, in a part of their own, which ends with its rows or with why it has none.
 */
import type { RequestContext } from '../context.ts'
import { partNotFound } from '../errors.ts'
import { rowBytesMax } from './answer-bytes.ts'
import type { Batch, BatchRows } from './batch.ts'
import { callerOf } from './caller.ts'
import { asRequestError, graceMs, requireCaller, timeoutMs } from './entering.ts'
import { sql } from './sql.ts'

/** The statements for one site of several. */
export interface Part<Of extends Batch> {
  /** The version of the catalog that they were planned for. Null: any. */
  site: { siteId: number; slug: string; catalogVersion: number | null }
  statements: Of
}

/** The time of all parts, which public.limit_part shares among them, and what it may be exceeded by. */
const partsMs = 10_000 + graceMs

/** The most bytes of the rows of one of several parts. */
export const partBytesMax = (parts: number): number => Math.floor(rowBytesMax / Math.max(parts, 2))

/**
 * Runs statements of the platform and then the parts, for a caller with one of the roles in an organization.
 * The result of a part is its rows, or an SQLSTATE. `read` names for the audit what the parts read; null:
 * only the catalogs of the sites. Throws 401, 403 or 404 if the caller may not enter the organization.
 */
export async function inSitesOf<OfPlatform extends Batch, Of extends Batch>(
  ctx: RequestContext,
  [organization, roles]: readonly [slug: string, roles: readonly string[]],
  platform: OfPlatform,
  parts: readonly Part<Of>[],
  read: string | null,
): Promise<{ platform: BatchRows<OfPlatform>; parts: (BatchRows<Of> | string)[] }> {
  requireCaller(ctx)
  const caller = callerOf(ctx)
  const [first] = parts
  const calls = parts.map(({ site: { slug, siteId, catalogVersion }, statements }, index) => ({
    terms: sql`${caller}, row(${slug}, ${siteId}, ${catalogVersion}, ${timeoutMs.read}, ${read},
      ${partBytesMax(parts.length)}, ${parts[index + 1]?.site.slug ?? null},
      ${parts.length - index - 1})::public.part`,
    schema: `site_${siteId}`,
    statements,
  }))
  const before = {
    _entered: sql`select public.enter_organization(${caller}, ${organization}, ${roles})`,
    ...platform,
    _limit: first && sql`select public.limit_part(${first.site.slug}, ${parts.length})`,
  }
  try {
    return await ctx.share.runHeavy(() => ctx.database.batchInParts(before, calls, partsMs))
  } catch (error) {
    throw asRequestError(error, () => partNotFound('organization', organization, ''))
  }
}
