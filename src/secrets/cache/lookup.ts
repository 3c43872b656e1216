/**
 * A read that asks no database: three caches of record know which site the host is, who the caller is and may, and the
 * secret. Each is emptied by whatever changes what it knows, before that is acknowledged. Where one does not know, the
 * database is asked, once, for everything; the answer is put where it was missing.
 */
import { type Cache, cacheAt } from '../../cache/caches.ts'
import type { Look } from '../../cache/shelf.ts'
import type { Caller, RequestContext } from '../../context.ts'
import { describeFailure, log } from '../../lib/log.ts'
import type { Standing } from '../entries/decide.ts'
import type { SecretRow } from '../entries/store.ts'
import { dataKeyOf } from '../entries/values.ts'
import type { SensitivityLevel } from '../schema.ts'
import type { Vault } from '../vault/service.ts'
import type { Asked, CachedSecret, SecretCache, Taken } from './secret-cache.ts'

const minuteMs = 60_000

/** Spec: Limits, secret cache lifetime. */
const lifetimeMs: Readonly<Record<SensitivityLevel, number>> = { public: 10 * minuteMs, private: 5 * minuteMs, sensitive: 0 }
const hostMs = 10 * minuteMs
/** So long a change goes unheard that was made by hand, past the service. */
const rightsMs = minuteMs

/** What is known of a caller in a site. */
interface Rights {
  username: string
  mayRead: boolean
}

export interface Lookup {
  /** Null when the database has to be asked. */
  taken: Exclude<Taken, { verdict: null }> | null
  /** Keeps what the database answered; `row` is what was shown and is worth keeping. */
  remember(vault: Vault, row: SecretRow | null): void
}

export async function lookUp(ctx: RequestContext, asked: Asked): Promise<Lookup> {
  const { caller, tenant } = ctx
  const [hosts, rights] = await Promise.all([look<string>(ctx, `host ${tenant.host}`), caller && look<Rights>(ctx, `caller ${caller.userId}`)])
  const known = hosts?.entries[tenant.slug ?? '']
  // Without knowing the site, the likely one is asked for a ticket.
  const site = known ?? tenant.slug
  const held = known === undefined || !caller ? undefined : rightsIn(rights, known, caller)
  const standing = known === undefined ? null : standingOf(caller, held)
  const reader = caller && held ? { userId: caller.userId, username: held.username, requestId: ctx.requestId } : null
  const taken = site === null ? null : await attempt(ctx, () => secretsOf(ctx, site).take(asked, standing, reader))
  return {
    taken: taken?.verdict ? taken : null,
    remember(vault, row) {
      const puts: Promise<unknown>[] = []
      if (hosts && known === undefined)
        puts.push(cacheAt<string>(ctx, `host ${tenant.host}`).put('', tenant.slug ?? '', vault.site, hostMs, hosts.ticket))
      if (caller && rights && !held) puts.push(putRights(ctx, caller, vault, rights.ticket))
      if (taken?.verdict === null && site === vault.site && row) puts.push(putSecret(ctx, asked, vault, row, taken.ticket))
      ctx.waitUntil(attempt(ctx, () => Promise.all(puts)))
    },
  }
}

/** The slug of the request's site, if that is known without the database. */
export async function knownSite(ctx: RequestContext): Promise<string | undefined> {
  const hosts = await look<string>(ctx, `host ${ctx.tenant.host}`)
  return hosts?.entries[ctx.tenant.slug ?? '']
}

/** As it is asked from elsewhere. */
type SiteSecrets = Cache<CachedSecret> & { take(...parameters: Parameters<SecretCache['take']>): Promise<Taken> }

export const secretsOf = (ctx: RequestContext, site: string): SiteSecrets => cacheAt(ctx, `secrets ${site}`) as SiteSecrets

const look = <Value>(ctx: RequestContext, name: string): Promise<Look<Value> | undefined> => attempt(ctx, () => cacheAt<Value>(ctx, name).look(''))

/** A cache that cannot be asked knows nothing. */
async function attempt<Answer>(ctx: RequestContext, ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask()
  } catch (error) {
    log({ level: 'error', request_id: ctx.requestId, cache: 'unavailable', ...describeFailure(error, false) })
    return undefined
  }
}

/** Rights are those of a sign-in: of another generation, organization or session nothing is known. */
const rightsPlace = (site: string, { generation, organizationId, session }: Caller) =>
  [site, generation, organizationId ?? '', session ?? ''].join(' ')

const rightsIn = (rights: Look<Rights> | null | undefined, site: string, caller: Caller): Rights | undefined =>
  rights?.entries[rightsPlace(site, caller)]

function standingOf(caller: Caller | null, held: Rights | undefined): Standing | null {
  if (!caller) return 'anonymous'
  return held ? (held.mayRead ? 'reader' : 'stranger') : null
}

function putRights(ctx: RequestContext, caller: Caller, { site, username, mayRead }: Vault, ticket: string | null): Promise<unknown> {
  const rights: Rights = { username: username ?? '', mayRead }
  return cacheAt<Rights>(ctx, `caller ${caller.userId}`).put('', rightsPlace(site, caller), rights, rightsMs, ticket)
}

async function putSecret(ctx: RequestContext, { key, app }: Asked, { site, keys }: Vault, row: SecretRow, ticket: string | null): Promise<void> {
  const lifetime = lifetimeMs[row.sensitivity_level]
  const secret: CachedSecret = { siteId: keys.siteId, row, dataKey: dataKeyOf(keys, row) }
  if (lifetime > 0) await secretsOf(ctx, site).put(key, app ?? '', secret, lifetime, ticket)
}
