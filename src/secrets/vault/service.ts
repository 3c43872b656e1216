/** A batch in the request's tenant that knows who asks, and the keys that the site's values are encrypted with. */
import type { RequestContext } from '../../context.ts'
import { type Answers, answersTo, type Batch, isList, statementsOf } from '../../db/batch.ts'
import { callerOf } from '../../db/caller.ts'
import type { Results } from '../../db/results.ts'
import { type Sql, sql } from '../../db/sql.ts'
import { CatalogMoved, inTenant, type Mode } from '../../db/tenant.ts'
import { unavailable } from '../../errors.ts'
import { contentionMs, retry } from '../../lib/retry.ts'
import { type NewKey, newDataKey, type WrappedKey } from '../encryption/data-keys.ts'
import { DataKeyUnknown, unreadable } from '../encryption/errors.ts'
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

export interface Vault<Found = unknown> {
  site: string
  username: string | null
  /** Whether the caller may read what is not public. */
  mayRead: boolean
  /** Whether the caller owns the site's organization, or is a superuser. */
  owns: boolean
  keys: SiteKeys
  /** Of the master keys, while the site has no data key. */
  proofs: Record<string, string>
  results: Found
}

/** What the statements of a write were made for. */
export interface Prepared {
  siteId: number
  /** The data key that they were encrypted with. */
  dataKey?: WrappedKey | NewKey
}

/** Fails with CatalogMoved when what was prepared is outdated. */
export async function inVault<Of extends Batch>(ctx: RequestContext, mode: Mode, statements: Of, prepared?: Prepared): Promise<Vault<Answers<Of>>>
export async function inVault(ctx: RequestContext, mode: Mode, statements: readonly Sql[], prepared?: Prepared): Promise<Vault<Results>>
export async function inVault(ctx: RequestContext, mode: Mode, statements: Batch | readonly Sql[], prepared?: Prepared): Promise<Vault> {
  const asService = { introduction: introduce(ctx), dataKey: holdDataKey(prepared) }
  const planned = prepared && { siteId: prepared.siteId, catalogVersion: null }
  const list = isList(statements) ? statements : statementsOf(statements)
  const visited = await inTenant(ctx, mode, list, planned, statementsOf(asService))
  const introduction = answersTo(asService, visited.before).introduction.one
  return {
    site: introduction.site_slug,
    username: introduction.username,
    mayRead: introduction.may_read,
    owns: introduction.owns,
    keys: { siteId: introduction.site_id, keys: introduction.data_keys },
    proofs: introduction.proofs ?? {},
    results: isList(statements) ? visited.results : answersTo(statements, visited.results),
  }
}

const introduce = (ctx: RequestContext) => sql<Introduction>`
  select site_id, site_slug, username, may_read, owns, data_keys, proofs
    from public.introduce(${ctx.tenant.host}, ${ctx.tenant.slug}, ${callerOf(ctx)})`

function holdDataKey(prepared: Prepared | undefined): Sql | undefined {
  if (!prepared?.dataKey) return undefined
  const { version, masterKid, wrapped, proof } = { proof: null, ...prepared.dataKey }
  // A key that the database has is known by its version; a new one is sent with all that it is.
  const made = proof === null ? sql`null, null, null` : sql`${wrapped}, ${masterKid}, ${proof}`
  return sql`select public.use_data_key(${prepared.siteId}, ${version}, ${made})`
}

/** With the keys to encrypt with; what a site first encrypts makes the first. */
export async function prepare(ctx: RequestContext, { keys, proofs }: Vault, encrypted: boolean): Promise<Prepared & { keys: SiteKeys | null }> {
  const { siteId } = keys
  if (!encrypted) return { siteId, keys: null }
  const dataKey = keys.keys.at(-1) ?? (await newDataKey(ctx.config, siteId, 1, proofs))
  return { siteId, dataKey, keys: { siteId, keys: [dataKey] } }
}

/**
 * Runs work that reads data keys and decrypts with them. While a site gets a new data key, a value may be encrypted with a
 * key that is newer than those that were read: then the work runs once more, and has to read the keys again.
 */
export async function withKeys<Result>(work: (isFirst: boolean) => Promise<Result>): Promise<Result> {
  try {
    return await work(true)
  } catch (error) {
    if (!(error instanceof DataKeyUnknown)) throw error
  }
  return work(false).catch((error: unknown) => {
    throw error instanceof DataKeyUnknown ? unreadable('a value of an unknown data key', error) : error
  })
}

/** What an attempt had read has changed in the meantime. */
class Outdated extends Error {}

const terms = {
  attempts: 10,
  isTransient: (error: unknown) => error instanceof CatalogMoved || error instanceof Outdated,
  pauseMs: contentionMs,
}

/** Repeats an attempt that returns undefined or throws CatalogMoved: what it had read has changed in the meantime. 503 if it changes all the time. */
export async function untilItHolds<Result>(attempt: () => Promise<Result | undefined>): Promise<Result> {
  const once = async () => {
    const result = await withKeys(attempt)
    if (result === undefined) throw new Outdated()
    return result
  }
  return retry(terms, once).catch((error: unknown) => {
    throw terms.isTransient(error) ? unavailable(error) : error
  })
}
