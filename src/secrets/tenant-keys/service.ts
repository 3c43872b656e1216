/**
 * Batches in the request's tenant that also return its data keys, and retries for work that depends on these.
 */
import type { RequestContext } from '../../kernel/context.ts'
import type { Batch, BatchRows } from '../../kernel/db/batch.ts'
import { callerOf } from '../../kernel/db/caller.ts'
import { CatalogMoved, type Mode } from '../../kernel/db/entering.ts'
import { type Sql, sql } from '../../kernel/db/sql.ts'
import { inTenant } from '../../kernel/db/tenant.ts'
import { unavailable } from '../../kernel/errors.ts'
import { contentionDelayMs, retry } from '../../kernel/lib/retry.ts'
import { type NewKey, newDataKey, type WrappedKey } from '../encryption/data-keys.ts'
import { DataKeyUnknown, Unreadable } from '../encryption/errors.ts'
import type { SiteKeys } from '../encryption/service.ts'

/** A row of public.introduce. */
interface Introduction {
  site_id: number
  site_slug: string
  username: string | null
  may_read: boolean
  owns: boolean
  data_keys: WrappedKey[]
  proofs: Record<string, string> | null
}

/** The tenant of a request, the caller's rights there, and the answers of a batch. */
export interface TenantWithKeys<Found = unknown> {
  siteSlug: string
  /** Null for an anonymous caller. */
  username: string | null
  /** True if the caller may read secrets that are not public. */
  mayRead: boolean
  /** True if the caller is an owner of the site's organization, or a superuser. */
  isOwner: boolean
  keys: SiteKeys
  /** The proofs of the master keys by kid. Only used until the site has its first data key. */
  proofs: Record<string, string>
  /** The rows of each statement, by the name of the statement. */
  answers: Found
}

/** The site and the data key for which a write was prepared. */
export interface PreparedWrite {
  siteId: number
  /** The data key that encrypted the values; undefined if none are encrypted. */
  dataKey?: WrappedKey | NewKey
}

/** The data from which a write was prepared has changed. `retryUntilConsistent` prepares it again. */
class OutdatedRead extends Error {}

/**
 * Runs statements as `inTenant` does, and `beside` as the service. For a prepared write, throws OutdatedRead
 * if the host belongs to another site by now, or if the site has a newer data key.
 */
export async function inTenantWithKeys<Of extends Batch, Beside = unknown>(
  ctx: RequestContext,
  mode: Mode,
  statements: Of,
  prepared?: PreparedWrite,
  beside?: Sql<Beside>,
): Promise<TenantWithKeys<BatchRows<Of & { beside: typeof beside }>>> {
  const asService = { introduction: introduce(ctx), dataKey: useDataKey(prepared), beside }
  const planned = prepared && { siteId: prepared.siteId, catalogVersion: null }
  const answers = await inTenant(ctx, mode, statements, { planned, asService }).catch((error: unknown) => {
    throw error instanceof CatalogMoved ? new OutdatedRead() : error
  })
  const { site_id, site_slug, username, may_read, owns, data_keys, proofs } = answers.introduction.one
  return {
    siteSlug: site_slug,
    username,
    mayRead: may_read,
    isOwner: owns,
    keys: { siteId: site_id, keys: data_keys },
    proofs: proofs ?? {},
    answers,
  }
}

const introduce = (ctx: RequestContext) => sql<Introduction>`
  select site_id, site_slug, username, may_read, owns, data_keys, proofs
    from public.introduce(${ctx.tenant.host}, ${ctx.tenant.slug}, ${callerOf(ctx)})`

/** Fails with TS409, which is CatalogMoved, if the site has a newer data key. */
function useDataKey(prepared: PreparedWrite | undefined): Sql | undefined {
  if (!prepared?.dataKey) return undefined
  const { version, masterKid, wrapped, proof } = { proof: null, ...prepared.dataKey }
  // The database finds an existing key by its version. A new key is sent completely.
  const newKey = proof === null ? sql`null, null, null` : sql`${wrapped}, ${masterKid}, ${proof}`
  return sql`select public.use_data_key(${prepared.siteId}, ${version}, ${newKey})`
}

/**
 * Prepares a write. Unless `isEncrypted`, `keys` is null. Otherwise it is the newest data key, or a new one
 * if the site has none. Throws 500 if the master keys are missing or wrong.
 */
export async function prepareEncryption(
  ctx: RequestContext,
  { keys, proofs }: Pick<TenantWithKeys, 'keys' | 'proofs'>,
  isEncrypted: boolean,
): Promise<PreparedWrite & { keys: SiteKeys | null }> {
  const { siteId } = keys
  if (!isEncrypted) return { siteId, keys: null }
  const dataKey = keys.keys.at(-1) ?? (await newDataKey(ctx.config, siteId, 1, proofs))
  return { siteId, dataKey, keys: { siteId, keys: [dataKey] } }
}

/** Returns the row of a write that depends on earlier reads. Throws OutdatedRead if it wrote nothing. */
export function writtenRow<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new OutdatedRead()
  return row
}

/**
 * Runs a read that decrypts values. If a value has a newer data key than those that were read, the site has
 * just got that key, and the read runs once more. Throws 500 if the key is still unknown then.
 */
export async function withCurrentKeys<Result>(read: (isFirst: boolean) => Promise<Result>): Promise<Result> {
  try {
    return await read(true)
  } catch (error) {
    if (!(error instanceof DataKeyUnknown)) throw error
  }
  return read(false).catch((error: unknown) => {
    throw finalError(error)
  })
}

const terms = {
  attempts: 10,
  isTransient: (error: unknown) => error instanceof OutdatedRead || error instanceof DataKeyUnknown,
  pauseMs: contentionDelayMs,
}

/**
 * Runs an attempt that reads data, prepares a write from it, and writes. Runs the attempt again if it throws
 * OutdatedRead, or if a value has a newer data key than those that it read. Throws 503 if the data keeps
 * changing.
 */
export const retryUntilConsistent = <Result>(attempt: () => Promise<Result>): Promise<Result> =>
  retry(terms, attempt).catch((error: unknown) => {
    throw finalError(error)
  })

/** Returns the error for the client if there are no further attempts. */
function finalError(error: unknown): unknown {
  if (error instanceof DataKeyUnknown) return new Unreadable('a value of an unknown data key', error)
  return error instanceof OutdatedRead ? unavailable(error) : error
}
